import { Form, Input } from "antd";
import type { ReactNode } from "react";
import { NAME_LENGTH_MAX } from "@red/contract/limits";

interface WordsItemProps {
  name: string;
  label: string;
  /** Shown if nothing, or nothing but spaces, is entered. */
  missing: string;
  /** Instead of a plain line. */
  children?: ReactNode;
}

/** A line of text that a form must have. */
export function WordsItem({ name, label, missing, children }: WordsItemProps) {
  const rules = [{ required: true, whitespace: true, message: missing }];
  return (
    <Form.Item name={name} label={label} rules={rules}>
      {children ?? <Input maxLength={NAME_LENGTH_MAX} autoComplete="off" />}
    </Form.Item>
  );
}
