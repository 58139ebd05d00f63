/** Grants an extra time to each account of a pasted list; what was left out is named. */
import { App, Form, Input } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { extraTimesGrant, extraTimesRoutes } from "@red/contract/extra-times";
import { EXTRA_TIMES_PER_CALL_MAX } from "@red/contract/limits";
import type { Data } from "@red/contract/route";
import { assertBody } from "#dialogs/check.ts";
import { FormDialog } from "#dialogs/form-dialog.tsx";
import { call } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { grouped } from "#ui/format.ts";
import { accountsOf } from "./accounts.ts";
import { GroupFields, expiryText } from "#dialogs/extra-time-fields.tsx";
import type { GroupValues } from "#dialogs/extra-time-fields.tsx";

interface GrantValues extends GroupValues {
  user_names?: string;
}

type Report = Data<typeof extraTimesRoutes.grant>;

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) {
    return null;
  }
  return (
    <label className="x-names">
      {title}
      <Input.TextArea readOnly autoSize={{ minRows: 1, maxRows: 6 }} value={names.join("\n")} />
    </label>
  );
}

function GrantReport({ report, doubled }: { report: Report; doubled: readonly string[] }) {
  const { t } = useTranslation("extra_times");
  // The list was rid of its doubles before; what the server adds are accounts of one player.
  const twice = [...new Set([...doubled, ...report.doubled])];
  return (
    <>
      <p>{t("granted", { times: grouped(report.granted) })}</p>
      <Names
        title={t("unknown_accounts", { count: report.unknown.length })}
        names={report.unknown}
      />
      <Names title={t("doubled_accounts", { count: twice.length })} names={twice} />
    </>
  );
}

/** What the list comes to, while it is being pasted. */
function Counted({ text }: { text: string }) {
  const { t } = useTranslation("extra_times");
  const { names, doubled } = accountsOf(text);
  if (names.length === 0) {
    return <>{t("grant_none")}</>;
  }
  const parts = [
    t("grant_count", { accounts: grouped(names.length) }),
    ...(doubled.length > 0 ? [t("grant_doubled", { accounts: grouped(doubled.length) })] : []),
    ...(names.length > EXTRA_TIMES_PER_CALL_MAX
      ? [t("grant_too_many", { max: grouped(EXTRA_TIMES_PER_CALL_MAX) })]
      : []),
  ];
  return <>{parts.join(" · ")}</>;
}

export function GrantDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["extra_times", "contract", "ui"]);
  const { modal } = App.useApp();
  const [form] = Form.useForm<GrantValues>();
  const text = Form.useWatch("user_names", form) ?? "";
  const count = accountsOf(text).names.length;
  const initial = useMemo(() => ({ user_names: "", tag: undefined, expire_time: null }), []);

  const grant = async ({ user_names = "", tag = "", expire_time }: GrantValues) => {
    const { names, doubled } = accountsOf(user_names);
    const body = { user_names: [...names], tag, expire_time: expiryText(expire_time) };
    assertBody(extraTimesGrant, body);
    const report = await call(extraTimesRoutes.grant, { body });
    onClose();
    modal.info({
      title: t("grant_done"),
      content: <GrantReport report={report} doubled={doubled} />,
      width: 560,
      okText: t("ui:close"),
    });
    await refresh(extraTimesRoutes.list, extraTimesRoutes.total);
  };

  return (
    <FormDialog<GrantValues>
      title={t("grant")}
      form={form}
      initial={initial}
      draftKey="extra_times:grant"
      okText={count === 0 ? t("add") : t("grant_submit", { times: grouped(count) })}
      onSubmit={grant}
      onClose={onClose}
    >
      <Form.Item
        name="user_names"
        label={t("grant_accounts")}
        required
        extra={<Counted text={text} />}
      >
        <Input.TextArea rows={8} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <GroupFields required />
    </FormDialog>
  );
}
