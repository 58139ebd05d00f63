import type { FormInstance } from "antd";

export function unmark(form: FormInstance, changed: object): void {
  const marked = Object.keys(changed).filter((name) => form.getFieldError(name).length > 0);
  form.setFields(marked.map((name) => ({ name, errors: [] })));
}
