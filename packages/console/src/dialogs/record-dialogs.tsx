/** The words that delivering and closing ask for (behaviour §6). */
import { Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import { REASON_LENGTH_MAX } from "@red/contract/limits";
import type { DrawRecord } from "@red/contract/record";
import { FormDialog } from "./form-dialog.tsx";
import { moneyOf } from "./record-money.ts";

const EMPTY = {};

function draftKeyOf(act: string, records: readonly DrawRecord[]): string {
  return `record:${act}:${records.map(({ log_id }) => log_id).join(",")}`;
}

interface DialogProps<W> {
  records: readonly DrawRecord[];
  onSubmit: (words: W) => Promise<void>;
  onClose: () => void;
}

export function DeliverDialog({ records, onSubmit, onClose }: DialogProps<string | undefined>) {
  const { t } = useTranslation(["record", "contract"]);
  const [form] = Form.useForm<{ note?: string }>();
  return (
    <FormDialog<{ note?: string }>
      title={t("deliver_title")}
      width={460}
      form={form}
      initial={EMPTY}
      draftKey={draftKeyOf("deliver", records)}
      okText={t("deliver_save")}
      failedText={t("contract:deliver_failed")}
      onSubmit={({ note }) => onSubmit(note)}
      onClose={onClose}
    >
      <p className="r-acts-lead">{t("deliver_content", { count: records.length })}</p>
      <Form.Item name="note" label={t("deliver_note")} extra={t("deliver_hint")}>
        <Input maxLength={REASON_LENGTH_MAX} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  );
}

export function CloseDialog({ records, onSubmit, onClose }: DialogProps<string>) {
  const { t } = useTranslation(["record", "contract"]);
  const [form] = Form.useForm<{ reason: string }>();
  return (
    <FormDialog<{ reason: string }>
      title={t("close_title")}
      width={460}
      form={form}
      initial={EMPTY}
      draftKey={draftKeyOf("close", records)}
      okText={t("close_save")}
      failedText={t("contract:close_failed")}
      onSubmit={({ reason }) => onSubmit(reason)}
      onClose={onClose}
    >
      <p className="r-acts-lead">
        {t("close_content", { count: records.length, amount: moneyOf(records) })}
      </p>
      <Form.Item
        name="reason"
        label={t("close_reason")}
        rules={[{ required: true, whitespace: true, message: t("contract:enter_close_reason") }]}
      >
        <Input maxLength={REASON_LENGTH_MAX} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  );
}
