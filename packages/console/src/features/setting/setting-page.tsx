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
  const [typed, setTyped] = useState<string | null>(null);
  const entered = typed ?? value;
  const [fault, setFault] = useState<string | null>(null);
  const save = async (to: string) => {
    const saved = await settled(call(settingRoutes.save, { params: { key }, body: { value: to } }));
    setFault(saved.ok ? null : (saved.error.faults[0]?.msg ?? saved.error.message));
    if (saved.ok) {
      toast.success(t("contract:saved"));
      await refresh(settingRoutes.list);
      setTyped(null);
    }
  };
  const shown = kind === "money" ? grouped(usual) : t(usual === "on" ? "ui:yes" : "ui:no");
  const note = t("setting_default", { value: shown });
  const field = { "aria-label": t(key), "aria-describedby": key };
  return (
    <li className="k-card k-panel k-two-lines">
      <div className="k-card-head">{t(key)}</div>
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
            value={entered}
            {...(fault !== null && { status: "error" as const, "aria-invalid": true })}
            onChange={(event) => setTyped(plainAmount(event.target.value))}
            onPressEnter={() => void save(entered)}
          />
          <Button onClick={() => void save(entered)}>{t("ui:save")}</Button>
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
      <ul className="k-cards">
        {list.data?.content.map((setting) => (
          <SettingCard key={setting.key} setting={setting} />
        ))}
      </ul>
    </Page>
  );
}
