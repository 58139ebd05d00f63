import { Form, Input } from "antd";
import type { ReactNode } from "react";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";

/* The library's asterisk would be part of the label's accessible name; the input is already marked as required. */
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
  /** Shown if the entry is empty or blank. */
  missing: string;
  /** Another input instead of the plain line. */
  children?: ReactNode;
}

/** The form item of a required line of text. */
export function TextItem({ name, label, missing, children }: TextItemProps) {
  const rules = [{ required: true, whitespace: true, message: missing }];
  return (
    <Form.Item name={name} label={label} rules={rules}>
      {children ?? <Input maxLength={NAME_LENGTH_MAX} autoComplete="off" />}
    </Form.Item>
  );
}
