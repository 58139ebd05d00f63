/** Settings that operators change (docs/operations.md), each saved by itself. */
import { Form, Input, Switch } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { settingRoutes } from "@red/contract/setting";
import type { Setting } from "@red/contract/setting";
import { ApiError, call } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { momentColumn } from "#ui/columns.tsx";
import { grouped, NOTHING } from "#ui/format.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { Page } from "#ui/page.tsx";
import { plainAmount } from "#ui/plain-number.ts";
import { useToast } from "#ui/toast.tsx";
import { SETTING_TEXTS } from "./setting-texts.ts";

addTexts("setting", SETTING_TEXTS);

function Value({ setting: { key, kind, value } }: { setting: Setting }) {
  const { t } = useTranslation(["setting", "contract"]);
  const toast = useToast();
  const [form] = Form.useForm<{ value: string }>();
  const [busy, setBusy] = useState(false);
  useEffect(() => form.setFieldsValue({ value }), [form, value]);
  const name = t(key);
  const save = async (wanted: string) => {
    setBusy(true);
    try {
      // The field shows `10000` as it is kept: `10000.00`.
      form.setFieldsValue(
        await call(settingRoutes.save, { params: { key }, body: { value: wanted } }),
      );
      toast.success(t("contract:saved"));
      await refresh(settingRoutes.list);
    } catch (error) {
      if (!(error instanceof ApiError)) {
        throw error;
      }
      form.setFields([{ name: "value", errors: [error.faults[0]?.msg ?? error.message] }]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form
      form={form}
      name={key}
      layout="inline"
      initialValues={{ value }}
      onFinish={(entered) => void save(entered.value)}
    >
      {kind === "bool" ? (
        <Switch
          aria-label={name}
          checked={value === "on"}
          loading={busy}
          onChange={(on) => void save(on ? "on" : "off")}
        />
      ) : (
        <>
          <Form.Item
            name="value"
            normalize={plainAmount}
            rules={[{ required: true, message: t("contract:enter_setting_value") }]}
          >
            <Input aria-label={name} inputMode="decimal" autoComplete="off" maxLength={20} />
          </Form.Item>
          <BusyButton htmlType="submit" busy={busy} aria-label={t("save_label", { name })}>
            {t("save")}
          </BusyButton>
        </>
      )}
    </Form>
  );
}

export function SettingPage() {
  const { t } = useTranslation("setting");
  const list = useList(queryOf(settingRoutes.list, {}));
  const columns: readonly Column<Setting>[] = [
    {
      key: "setting",
      title: t("setting"),
      width: 320,
      rowHeader: true,
      render: ({ key }) => (
        <div className="k-two-lines">
          {t(key)}
          <span className="k-note">{t(`${key}_note`)}</span>
        </div>
      ),
    },
    { key: "value", title: t("value"), width: 280, render: (row) => <Value setting={row} /> },
    {
      key: "default",
      title: t("default"),
      width: 110,
      render: (row) =>
        row.kind === "money" ? grouped(row.default) : t(row.default === "on" ? "on" : "off"),
    },
    {
      key: "changed_by",
      title: t("changed_by"),
      width: 120,
      render: ({ changed_by }) => changed_by ?? NOTHING,
    },
    momentColumn("changed_at", t("changed_at"), 168),
  ];
  return (
    <Page title={t("title")} refresh={list.retry}>
      <ListPanel
        id="settings"
        name={t("title")}
        list={list}
        label={t("title")}
        columns={columns}
        keyOf={({ key }) => key}
        nameOf={({ key }) => t(key)}
      />
    </Page>
  );
}
