/** The specification checks some forms field by field: only the first that fails is told (spec §5). */
import { faultsOf } from "@red/contract/faults";
import { FIELD_LABELS } from "@red/contract/field-labels";
import type { FormInstance } from "antd";
import type * as z from "zod/mini";
import { currentLanguage } from "#lib/language.ts";

/**
 * Checks a body against its schema, in the schema's order. Marks the first field that fails, with
 * the focus on it, and takes back what was marked before. Answers whether nothing failed.
 */
export function passes(form: FormInstance, schema: z.ZodMiniType, body: object): boolean {
  const parsed = schema.safeParse(body);
  const language = currentLanguage();
  const faults = parsed.success
    ? []
    : faultsOf(parsed.error.issues, language, FIELD_LABELS[language]);
  const [first] = faults;
  // A field that was never filled in has no value yet, not even an empty one.
  const names = new Set(Object.keys(form.getFieldsValue(true)));
  if (first !== undefined) {
    names.add(first.field);
  }
  form.setFields(
    [...names].map((name) => ({
      name,
      errors: name === first?.field ? [first.msg] : [],
    })),
  );
  if (first !== undefined) {
    form.scrollToField(first.field, { focus: true });
  }
  return first === undefined;
}
