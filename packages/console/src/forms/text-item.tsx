import { Form, Input } from "antd";
import type { ReactNode } from "react";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";

/* Hides the asterisk from screen readers: it would be part of the label's name, and the input is already marked as
   required. */
export function starred(label: ReactNode, { required }: { required: boolean }): ReactNode {
  return (
    <>
      {required && (
        <span className="k-required" aria-hidden="true">
          *
        </span>
      )}
      {label}
    </>
  );
}

interface TextItemProps {
  name: string;
  label: string;
  /** Error text if the entry is empty or only whitespace. */
  missing: string;
  /** Input to use instead of the plain text field. */
  children?: ReactNode;
}

/** Form item with a required line of text. */
export function TextItem({ name, label, missing, children }: TextItemProps) {
  const rules = [{ required: true, whitespace: true, message: missing }];
  return (
    <Form.Item name={name} label={label} rules={rules}>
      {children ?? <Input maxLength={NAME_LENGTH_MAX} autoComplete="off" />}
    </Form.Item>
  );
}
