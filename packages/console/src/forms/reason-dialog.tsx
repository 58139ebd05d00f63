/** Asks for the reason of an act. */
import { Form, Input } from "antd";
import type { ReactNode } from "react";
import { REASON_LENGTH_MAX } from "@red/contract/limits";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { FormDialog } from "./form-dialog.tsx";
import type { Close } from "./saving.tsx";

const EMPTY = {};

interface ReasonDialogProps {
  title: string;
  label: string;
  /** Shown if no reason is entered. */
  missing: string;
  okText: string;
  failedText?: string;
  /** Unique for act and subject. */
  draftKey: string;
  onSubmit: (reason: string, close: Close) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

export function ReasonDialog(props: ReasonDialogProps) {
  const { label, missing, onSubmit, children, ...dialog } = props;
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
      <Form.Item
        name="reason"
        label={label}
        rules={[{ required: true, whitespace: true, message: missing }]}
      >
        <Input maxLength={REASON_LENGTH_MAX} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  );
}
