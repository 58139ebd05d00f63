/** What is read off a form for what stands inside it. */
import { Form } from "antd";
import type { FormInstance } from "antd";

/**
 * As the library's `useWatch`, but right from the first drawing on: a form that is filled when it is drawn
 * would otherwise be drawn a second time. A caller whose answer stays the same is not drawn again.
 */
export function useEntered<V extends object, T>(form: FormInstance<V>, read: (values: V) => T): T {
  Form.useWatch(read, form);
  return read(form.getFieldsValue(true) as V);
}
