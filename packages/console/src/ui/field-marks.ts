/** Red marks of form fields that stand for one value only. */
import type { FormInstance } from "antd";

/** What was said of the old values does not hold for the new ones. */
export function unmark(form: FormInstance, changed: object): void {
  const marked = Object.keys(changed).filter((name) => form.getFieldError(name).length > 0);
  form.setFields(marked.map((name) => ({ name, errors: [] })));
}
