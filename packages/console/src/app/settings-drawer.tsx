/** Display settings. Each setting applies at once and is stored in this browser. */
import { Button, Drawer, Segmented, Switch } from "antd";
import { useId } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { THEME_COLOUR, THEME_COLOURS } from "@red/contract/platform/limits";
import { LANGUAGES } from "@red/contract/platform/texts";
import { chooseLanguage, useLanguage } from "#lib/language.ts";
import {
  THEME_MODES,
  controlSize,
  fixedHeader,
  sidebarLogo,
  tagsView,
  themeColour,
  themeMode,
  useEffectiveTheme,
  usePreference,
} from "#lib/preferences.ts";
import { contrast } from "#ui/colour.ts";
import { useSingleKeys } from "#ui/page.tsx";
import { palette } from "#ui/palette.ts";
import "./settings.css";

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="s-setting">
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

interface ChoiceProps<V extends string> {
  title: string;
  value: V;
  options: readonly { readonly value: V; readonly label: string }[];
  onChange: (value: V) => void;
}

function Choice<V extends string>({ title, value, options, onChange }: ChoiceProps<V>) {
  return (
    <Section title={title}>
      <Segmented<V>
        block
        aria-label={title}
        value={value}
        options={[...options]}
        onChange={onChange}
      />
    </Section>
  );
}

function ThemeColour() {
  const { t } = useTranslation("app");
  const mode = useEffectiveTheme();
  const chosen = usePreference(themeColour);
  const { action, surface } = palette(mode, chosen);
  const ratio = contrast(action, surface).toFixed(1);
  return (
    <Section title={t("theme_colour")}>
      <div className="s-colours">
        {THEME_COLOURS.map((colour) => (
          <label key={colour} className="s-colour" style={{ background: colour }}>
            <input
              type="radio"
              name="theme_colour"
              aria-label={colour}
              checked={colour.toLowerCase() === chosen.toLowerCase()}
              onChange={() => themeColour.set(colour)}
            />
          </label>
        ))}
        <input
          type="color"
          className="s-colour-any"
          aria-label={t("theme_colour_any")}
          value={chosen.toLowerCase()}
          onChange={(event) => themeColour.set(event.target.value)}
        />
      </div>
      <p className="k-note">{t("theme_colour_note", { action, ratio })}</p>
    </Section>
  );
}

interface ToggleProps {
  label: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

function Toggle({ label, on, onChange }: ToggleProps) {
  return (
    <label className="s-toggle">
      <span>{label}</span>
      <Switch checked={on} aria-label={label} onChange={onChange} />
    </label>
  );
}

const SIZES = ["default", "medium", "small"] as const;
const LAYOUT = { tags_view: tagsView, fixed_header: fixedHeader, sidebar_logo: sidebarLogo };

function LayoutToggle({ name }: { name: keyof typeof LAYOUT }) {
  const { t } = useTranslation("app");
  const preference = LAYOUT[name];
  const on = usePreference(preference) === "1";
  return <Toggle label={t(name)} on={on} onChange={(next) => preference.set(next ? "1" : "0")} />;
}

function KeysToggle() {
  const { t } = useTranslation("ui");
  const [on, set] = useSingleKeys();
  return <Toggle label={t("single_keys")} on={on} onChange={set} />;
}

function restore(): void {
  themeColour.set(THEME_COLOUR);
  themeMode.set(themeMode.standard);
  controlSize.set(controlSize.standard);
  Object.values(LAYOUT).forEach((preference) => preference.set(preference.standard));
}

export function SettingsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation(["app", "ui"]);
  const language = useLanguage();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      placement="right"
      size={300}
      title={t("settings")}
      footer={<Button onClick={restore}>{t("ui:restore_defaults")}</Button>}
    >
      <ThemeColour />
      <Choice
        title={t("theme")}
        value={usePreference(themeMode)}
        options={THEME_MODES.map((value) => ({ value, label: t(`theme_${value}`) }))}
        onChange={(value) => themeMode.set(value)}
      />
      <Choice
        title={t("language")}
        value={language}
        options={LANGUAGES.map((value) => ({ value, label: t(`language_${value}`) }))}
        onChange={(value) => void chooseLanguage(value)}
      />
      <Choice
        title={t("control_size")}
        value={usePreference(controlSize)}
        options={SIZES.map((value) => ({ value, label: t(`ui:size_${value}`) }))}
        onChange={(value) => controlSize.set(value)}
      />
      <Section title={t("layout")}>
        <LayoutToggle name="tags_view" />
        <LayoutToggle name="fixed_header" />
        <LayoutToggle name="sidebar_logo" />
        <KeysToggle />
      </Section>
    </Drawer>
  );
}
