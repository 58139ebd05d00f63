/** Settings that operators change (docs/operations.md). Each setting has its own save button. */
import { useQuery } from "@tanstack/react-query";
import { Button, Input, Space, Switch } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatCents, parseCents } from "@red/contract/platform/money";
import { ASKED_DAYS, BAND_KEYS, settingRoutes } from "@red/contract/approvals/setting";
import type { BandKey, Setting } from "@red/contract/approvals/setting";
import { useAct } from "#forms/act.ts";
import { changeBy, isShownByField, isWaiting } from "#lib/api.ts";
import { useDebounced } from "#lib/debounced.ts";
import { queryOf } from "#lib/query.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { Page } from "#ui/page.tsx";
import { plainAmount } from "#ui/plain-number.ts";
import "#forms/ask-dialog.css";

const PAUSE_MS = 500;

/**
 * Shows how many recent changes would have needed a reason or a code at this threshold. Loads after a pause in typing.
 */
function Asked({ band, value }: { band: BandKey; value: string }) {
  const { t } = useTranslation("stop");
  const settled = useDebounced(value, PAUSE_MS);
  const isSum = settled === value && parseCents(value) !== null;
  const input = { query: { key: band, value } };
  const { data } = useQuery({
    // A failed call shows nothing, because the number is only a hint.
    ...queryOf(settingRoutes.asked, input, { background: true }),
    enabled: isSum,
  });
  const isKnown = isSum && data !== undefined;
  return isKnown && <span> · {t("band_asked", { days: ASKED_DAYS, count: data.times })}</span>;
}

function SettingCard({ setting }: { setting: Setting }) {
  const { key, kind, value, default: usual, changed_by: by, changed_at: at } = setting;
  const { t } = useTranslation(["stop", "ui"]);
  const { act } = useAct(settingRoutes.list);
  const confirm = useConfirm();
  const [typed, setTyped] = useState<string | null>(null);
  const entered = typed ?? value;
  const [fault, setFault] = useState<string | null>(null);
  const save = async (to: string) => {
    const input = { params: { key }, body: { value: to } };
    const saved = await act(changeBy(settingRoutes.save, input));
    if (saved.ok || isWaiting(saved.error)) {
      setTyped(null);
      setFault(null);
    } else {
      const { faults, message } = saved.error;
      setFault(isShownByField(saved.error) ? null : (faults[0]?.msg ?? message));
    }
  };
  const shown = (one: string) => {
    const cents = kind === "bool" ? null : parseCents(one);
    const off = kind === "band" ? t("band_off") : t("ui:no");
    const text = one === "off" ? off : one === "on" ? t("ui:yes") : one;
    return cents === null ? text : grouped(formatCents(cents));
  };
  const note = (one: string) =>
    kind === "band" && one === "off" ? t("band_off_note") : t(`${key}_note`, { value: shown(one) });
  const question = (to: string) => (
    <div className="q-answer">
      <p>{note(to)}</p>
      <dl className="k-figures">
        <Figure term={t("setting_change")}>{`${shown(value)} → ${shown(to)}`}</Figure>
      </dl>
    </div>
  );
  const begin = async (to: string) => {
    // Send an invalid value without a confirmation, because the server rejects it.
    const isInvalid = kind !== "bool" && parseCents(to) === null && to !== "off";
    // Compare the values as shown: `20000` and `20000.00` are equal.
    if (shown(to) === shown(value)) {
      setTyped(null);
      setFault(null);
    } else if (
      isInvalid ||
      (await confirm({ title: t(key), content: question(to), okText: t("ui:save") }))
    ) {
      await save(to);
    }
  };
  const facts = [
    t("setting_default", { value: shown(usual) }),
    ...(setting.changed_from === null ? [] : [`${shown(setting.changed_from)} → ${shown(value)}`]),
    ...(by !== null && at !== null ? [t("ui:merged_by", { by, at })] : []),
  ];
  const band = BAND_KEYS.find((one) => one === key);
  const field = { "aria-label": t(key), "aria-describedby": key };
  return (
    <li className="k-card k-panel k-two-lines">
      <div className="k-card-head">{t(key)}</div>
      <p>{note(value)}</p>
      {kind === "bool" ? (
        <Switch
          {...field}
          checked={value === "on"}
          onChange={(on) => void begin(on ? "on" : "off")}
        />
      ) : (
        <Space.Compact>
          <Input
            {...field}
            inputMode="decimal"
            placeholder={shown("off")}
            value={typed ?? (value === "off" ? "" : value)}
            {...(fault !== null && { status: "error" as const, "aria-invalid": true })}
            onChange={(event) => setTyped(plainAmount(event.target.value))}
            onPressEnter={(event) => {
              // Without this, the same Enter also clicks the focused button of the new dialog and closes the dialog.
              event.preventDefault();
              void begin(entered);
            }}
          />
          <Button onClick={() => void begin(entered)}>{t("ui:save")}</Button>
          {kind === "band" && value !== "off" && (
            <Button onClick={() => void begin("off")}>{shown("off")}</Button>
          )}
        </Space.Compact>
      )}
      <p id={key} className={fault === null ? "k-note" : "k-negative"}>
        {fault ?? facts.join(" · ")}
        {fault === null && band !== undefined && <Asked band={band} value={entered} />}
      </p>
    </li>
  );
}

export function SettingPage() {
  const { t } = useTranslation("app");
  const list = useQuery(queryOf(settingRoutes.list, {}));
  return (
    <Page title={t("activity_settings")} refresh={() => void list.refetch()}>
      {!list.isSuccess && <NotLoaded query={list} />}
      <ul className="k-cards">
        {list.data?.content.map((setting) => (
          <SettingCard key={setting.key} setting={setting} />
        ))}
      </ul>
    </Page>
  );
}
