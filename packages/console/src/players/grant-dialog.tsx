/**
 * Grants an extra time to each account of a pasted list or file. Before the call the dialog shows which accounts are
 * left out.
 */
import { useMutation } from "@tanstack/react-query";
import { App, Form, Input } from "antd";
import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import type { Data } from "@red/contract/platform/route";
import { useAct } from "#forms/act.ts";
import { checked } from "#forms/check.ts";
import { EXTRA_TIME_LISTS, GroupFields, expiryText } from "./extra-time-fields.tsx";
import type { GroupValues } from "./extra-time-fields.tsx";
import { FilePicker } from "#forms/file-picker.tsx";
import { FormDialog } from "#forms/form-dialog.tsx";
import { ApiError, changeBy, upload } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { useOnPage } from "#lib/use-on-page.ts";
import { grouped } from "#ui/format.ts";
import { accountsOf, listOf } from "./accounts.ts";
import { Checked, LeftOut, useGrantCheck } from "./grant-checked.tsx";
import type { GrantCheck } from "./grant-checked.tsx";

const ACCOUNT_FILES = [".csv", ".txt", ".xlsx", ".xls"];

interface GrantValues extends GroupValues {
  user_names?: string;
}

function GrantReport({ report }: { report: Data<typeof extraTimesRoutes.grant> }) {
  const { t } = useTranslation("extra_times");
  return (
    <>
      <p>
        {t("granted", { times: grouped(report.granted) })}
        {report.batch_id !== null && ` · ${t("batch")} #${report.batch_id}`}
      </p>
      <LeftOut {...report} />
    </>
  );
}

function SubmitText({ entries, preview, isComplete }: GrantCheck) {
  const { t } = useTranslation("extra_times");
  if (entries === 0) {
    return t("add");
  }
  return preview === undefined || !isComplete
    ? t("grant_pending")
    : t("grant_submit", { count: preview.granted, times: grouped(preview.granted) });
}

export function GrantDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["extra_times", "contract", "ui"]);
  const { modal } = App.useApp();
  const { send } = useAct(...EXTRA_TIME_LISTS);
  const isOnPage = useOnPage();
  const [form] = Form.useForm<GrantValues>();
  const text = Form.useWatch("user_names", form) ?? "";
  const tag = Form.useWatch("tag", form);
  const check = useGrantCheck(text, tag);
  const { entries, preview, isComplete } = check;
  const initial = useMemo(() => ({ user_names: "", tag: undefined, expire_time: null }), []);

  // The text of the last file. Another file replaces only this text.
  const fromFile = useRef("");
  const addLines = (lines: readonly string[]) => {
    const listed = `\n${form.getFieldValue("user_names") ?? ""}`;
    const former = `\n${fromFile.current}`;
    const own = listed.endsWith(former) ? listed.slice(0, -former.length) : listed;
    fromFile.current = lines.join("\n");
    form.setFieldsValue({ user_names: `${own.trimEnd()}\n${fromFile.current}`.trimStart() });
  };

  const reading = useMutation({
    mutationFn: (file: File) => upload(extraTimesRoutes.accounts, file),
    onSuccess: ({ lines }) => addLines(lines),
  });

  const grant = async (entered: GrantValues, close: () => void) => {
    const { user_names = "", tag = "", expire_time } = entered;
    const list = listOf(accountsOf(user_names));
    const body = { ...list, tag, expire_time: expiryText(expire_time), plan: preview?.plan };
    const change = checked(changeBy(extraTimesRoutes.grant, { body }));
    try {
      await send(change, {
        // On another page a toast is enough, because the preview already named the accounts that are left out.
        text: ({ granted }) => (isOnPage() ? null : t("granted", { times: grouped(granted) })),
        done: (report) => {
          const isSeen = isOnPage();
          close();
          if (isSeen) {
            modal.info({
              title: t("grant_done"),
              content: <GrantReport report={report} />,
              width: 560,
              okText: t("ui:close"),
            });
          }
        },
      });
    } catch (error) {
      if (error instanceof ApiError) {
        // The preview may be outdated, so load a new preview.
        await refresh(extraTimesRoutes.preview);
      }
      throw error;
    }
  };

  return (
    <FormDialog<GrantValues>
      title={t("grant")}
      form={form}
      initial={initial}
      draftKey="extra_times:grant"
      okText={<SubmitText {...check} />}
      okDisabled={entries > 0 && (!isComplete || preview === undefined || preview.granted === 0)}
      onSubmit={grant}
      onClose={onClose}
    >
      <Form.Item name="user_names" label={t("grant_accounts")} required>
        <Input.TextArea rows={6} autoComplete="off" spellCheck={false} />
      </Form.Item>
      <FilePicker
        label={t("grant_file")}
        text={t("grant_file")}
        endings={ACCOUNT_FILES}
        busy={reading.isPending}
        className="k-file"
        onPick={reading.mutate}
      >
        <span className="k-note">{t("grant_file_hint")}</span>
      </FilePicker>
      <GroupFields />
      {/* The warnings stand below the fields, so that a new warning does not move the fields. */}
      <Checked {...check} />
    </FormDialog>
  );
}
