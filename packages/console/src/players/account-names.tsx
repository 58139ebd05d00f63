import { Input } from "antd";

export function AccountNames({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) {
    return null;
  }
  return (
    <label className="k-names">
      {title}
      <Input.TextArea readOnly autoSize={{ minRows: 1, maxRows: 4 }} value={names.join("\n")} />
    </label>
  );
}
