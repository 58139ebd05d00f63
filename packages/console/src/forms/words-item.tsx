import { Form, Input } from "antd";
import { NAME_LENGTH_MAX } from "@red/contract/limits";

interface WordsItemProps {
  name: string;
  label: string;
  /** Shown if nothing, or nothing but spaces, is entered. */
  missing: string;
}

/** A line of text that a form must have. */
export function WordsItem({ name, label, missing }: WordsItemProps) {
  const rules = [{ required: true, whitespace: true, message: missing }];
  return (
    <Form.Item name={name} label={label} rules={rules}>
      <Input maxLength={NAME_LENGTH_MAX} autoComplete="off" />
    </Form.Item>
  );
}
