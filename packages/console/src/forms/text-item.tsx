import { Form, Input } from "antd";
import type { ReactNode } from "react";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";

/* The library's asterisk becomes part of the label's accessible name; the input itself is marked as required. */
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
  /** Shown if nothing, or nothing but spaces, is entered. */
  missing: string;
  /** Instead of a plain line. */
  children?: ReactNode;
}

/** A line of text that a form must have. */
export function TextItem({ name, label, missing, children }: TextItemProps) {
  const rules = [{ required: true, whitespace: true, message: missing }];
  return (
    <Form.Item name={name} label={label} rules={rules}>
      {children ?? <Input maxLength={NAME_LENGTH_MAX} autoComplete="off" />}
    </Form.Item>
  );
}
