/** Settings that operators change (docs/operations.md), each saved by itself. */
import { useQuery } from "@tanstack/react-query";
import { Button, Input, Space, Switch } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { settingRoutes } from "@red/contract/setting";
import type { Setting } from "@red/contract/setting";
import { call, settled } from "#lib/api.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { grouped } from "#ui/format.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { Page } from "#ui/page.tsx";
import { plainAmount } from "#ui/plain-number.ts";
import { useToast } from "#ui/toast.tsx";

function SettingCard({ setting }: { setting: Setting }) {
  const { key, kind, value, default: usual, changed_by: by, changed_at: at } = setting;
  const { t } = useTranslation(["stop", "contract", "ui"]);
  const toast = useToast();
  const [typed, setTyped] = useState(value);
  const [fault, setFault] = useState<string | null>(null);
  const save = async (wanted: string) => {
    const input = { params: { key }, body: { value: wanted } };
    const saved = await settled(call(settingRoutes.save, input));
    setFault(saved.ok ? null : (saved.error.faults[0]?.msg ?? saved.error.message));
    if (saved.ok) {
      setTyped(saved.data.value);
      toast.success(t("contract:saved"));
      await refresh(settingRoutes.list);
    }
  };
  const shown = kind === "money" ? grouped(usual) : t(usual === "on" ? "ui:yes" : "ui:no");
  const note = t("setting_default", { value: shown });
  const field = { "aria-label": t(key), "aria-describedby": key };
  return (
    <li className="k-card k-two-lines">
      <h2>{t(key)}</h2>
      <p>{t(`${key}_note`)}</p>
      {kind === "bool" ? (
        <Switch
          {...field}
          checked={value === "on"}
          onChange={(on) => void save(on ? "on" : "off")}
        />
      ) : (
        <Space.Compact>
          <Input
            {...field}
            inputMode="decimal"
            value={typed}
            aria-invalid={fault !== null}
            onChange={(event) => setTyped(plainAmount(event.target.value))}
            onPressEnter={() => void save(typed)}
          />
          <Button onClick={() => void save(typed)}>{t("ui:save")}</Button>
        </Space.Compact>
      )}
      <p id={key} className={fault === null ? "k-note" : "k-negative"}>
        {fault ?? (by && at ? `${note} · ${t("ui:merged_by", { by, at })}` : note)}
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
      <ul className="k-cards k-panel">
        {list.data?.content.map((setting) => (
          <SettingCard key={setting.key} setting={setting} />
        ))}
      </ul>
    </Page>
  );
}
