/** Dialogs that deliver or close records, with a note or a reason (behaviour §6). */
import { Form } from "antd";
import { useTranslation } from "react-i18next";
import type { RecordPick } from "@red/contract/records/record";
import { FormDialog } from "#forms/form-dialog.tsx";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import { ReasonInput } from "#forms/reason-input.tsx";
import { EligibleNote } from "./record-eligible.tsx";
import type { Close } from "#forms/saving.tsx";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";

const EMPTY = {};

function draftKeyOf(act: string, records: readonly RecordPick[]): string {
  return `record:${act}:${records.length}:${records[0]?.log_id ?? 0}:${records.at(-1)?.log_id ?? 0}`;
}

interface DialogProps<W> {
  records: readonly RecordPick[];
  onSubmit: (words: W, close: Close) => Promise<void>;
  onClose: () => void;
}

export function DeliverDialog({ records, onSubmit, onClose }: DialogProps<string | undefined>) {
  const { t } = useTranslation(["record", "contract", "fields"]);
  const [form] = Form.useForm<{ note?: string }>();
  return (
    <FormDialog<{ note?: string }>
      title={t("deliver_title")}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={EMPTY}
      draftKey={draftKeyOf("deliver", records)}
      okText={t("deliver_title")}
      failedText={t("contract:deliver_failed")}
      onSubmit={({ note }, close) => onSubmit(note, close)}
      onClose={onClose}
    >
      <EligibleNote act="deliver" records={records} />
      <Form.Item name="note" label={t("fields:note")} extra={t("deliver_hint")}>
        <ReasonInput />
      </Form.Item>
    </FormDialog>
  );
}

export function CloseDialog({ records, onSubmit, onClose }: DialogProps<string>) {
  const { t } = useTranslation(["record", "contract"]);
  return (
    <ReasonDialog
      title={t("close_title")}
      label={t("close_reason")}
      missing={t("contract:enter_close_reason")}
      draftKey={draftKeyOf("close", records)}
      okText={t("close_title")}
      failedText={t("contract:close_failed")}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <EligibleNote act="close" records={records} />
    </ReasonDialog>
  );
}
