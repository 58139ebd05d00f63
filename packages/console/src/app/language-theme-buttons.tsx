import { DesktopOutlined, MoonOutlined, SunOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { chooseLanguage, useLanguage } from "#lib/language.ts";
import { THEME_MODES, themeMode, usePreference } from "#lib/preferences.ts";
import { MenuButton } from "#ui/menu-button.tsx";

export function LanguageButton() {
  const { t } = useTranslation("app");
  const language = useLanguage();
  const other = language === "zh" ? "en" : "zh";
  return (
    <Button
      type="text"
      className="s-tool"
      lang={other === "zh" ? "zh-CN" : "en"}
      onClick={() => void chooseLanguage(other)}
    >
      {t("other_language")}
    </Button>
  );
}

const THEME_ICONS = {
  light: <SunOutlined aria-hidden="true" />,
  dark: <MoonOutlined aria-hidden="true" />,
  system: <DesktopOutlined aria-hidden="true" />,
} as const;

export function ThemeButton() {
  const { t } = useTranslation("app");
  const mode = usePreference(themeMode);
  return (
    <MenuButton
      menu={{
        selectable: true,
        selectedKeys: [mode],
        items: THEME_MODES.map((each) => ({
          key: each,
          icon: THEME_ICONS[each],
          label: t(`theme_${each}`),
          onClick: () => themeMode.set(each),
        })),
      }}
    >
      <Button type="text" className="s-tool" icon={THEME_ICONS[mode]} aria-label={t("theme")} />
    </MenuButton>
  );
}
