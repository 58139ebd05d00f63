import { Form } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { ReasonInput } from "./reason-input.tsx";
import type { Close } from "./saving.tsx";
import { TextItem } from "./text-item.tsx";

const EMPTY = {};

interface ReasonDialogProps {
  title: string;
  /** The default is "Reason". */
  label?: string;
  /** Error text if no reason is entered. The default is the usual text. */
  missing?: string;
  okText: string;
  failedText?: string;
  /** Must be unique for each action and subject. */
  draftKey: string;
  onSubmit: (reason: string, close: Close) => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}

export function ReasonDialog(props: ReasonDialogProps) {
  const { label, missing, onSubmit, children, ...dialog } = props;
  const { t } = useTranslation(["contract", "fields"]);
  const [form] = Form.useForm<{ reason: string }>();
  return (
    <FormDialog<{ reason: string }>
      {...dialog}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={EMPTY}
      onSubmit={({ reason }, close) => onSubmit(reason, close)}
    >
      {children}
      <TextItem
        name="reason"
        label={label ?? t("fields:reason")}
        missing={missing ?? t("contract:enter_reason")}
      >
        <ReasonInput />
      </TextItem>
    </FormDialog>
  );
}
