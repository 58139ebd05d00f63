/** Asks for the reason of an act on a player. */
import { Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import { REASON_LENGTH_MAX } from "@red/contract/limits";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import { addTexts } from "#lib/language.ts";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { EXCLUSION_TEXTS } from "./exclusion-texts.ts";

addTexts("exclusion", EXCLUSION_TEXTS);

const EMPTY = {};

interface ReasonDialogProps {
  title: string;
  hint: string;
  okText: string;
  /** Unique for act and subject. */
  draftKey: string;
  onSubmit: (reason: string, close: Close) => Promise<void>;
  onClose: () => void;
}

export function ReasonDialog({ hint, onSubmit, ...dialog }: ReasonDialogProps) {
  const { t } = useTranslation(["exclusion", "contract"]);
  const [form] = Form.useForm<{ reason: string }>();
  return (
    <FormDialog<{ reason: string }>
      {...dialog}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={EMPTY}
      onSubmit={({ reason }, close) => onSubmit(reason, close)}
    >
      <p>{hint}</p>
      <Form.Item
        name="reason"
        label={t("reason")}
        rules={[{ required: true, whitespace: true, message: t("contract:enter_reason") }]}
      >
        <Input maxLength={REASON_LENGTH_MAX} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  );
}
