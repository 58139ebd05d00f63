/** What is read off a form for what stands inside it. */
import { Form } from "antd";
import type { FormInstance } from "antd";

/**
 * As the library's `useWatch`, but right from the first render on: a form that is filled when it renders
 * would otherwise render a second time. A caller whose answer stays the same does not render again.
 */
export function useEntered<V extends object, T>(form: FormInstance<V>, read: (values: V) => T): T {
  Form.useWatch(read, form);
  return read(form.getFieldsValue(true) as V);
}
