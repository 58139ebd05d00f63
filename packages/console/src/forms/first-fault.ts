/** The specification checks some forms field by field, in an order of its own (spec §5). */
import { faultsOf } from "@red/contract/faults";
import { FIELD_LABELS } from "@red/contract/field-labels";
import type { FieldFault } from "@red/contract/envelope";
import type { FormInstance } from "antd";
import type * as z from "zod/mini";
import { currentLanguage } from "#lib/language.ts";

/** Marks the form's fields that are at fault, and no others, with the focus on the first of them. */
export function markFields(form: FormInstance, faults: readonly FieldFault[]): void {
  // A field that was never filled in has no value yet, not even an empty one.
  const values = Object.keys(form.getFieldsValue(true));
  const names = new Set([...values, ...faults.map(({ field }) => field)]);
  form.setFields(
    [...names].map((name) => ({
      name,
      errors: faults.filter(({ field }) => field === name).map(({ msg }) => msg),
    })),
  );
  const [first] = faults;
  if (first !== undefined) {
    form.scrollToField(first.field, { focus: true });
  }
}

/**
 * Checks a body against its schema, in the schema's order. Marks the first field that fails, or all of
 * them, with the focus on the first, and takes back what was marked before. Answers whether nothing failed.
 */
export function passes(
  form: FormInstance,
  schema: z.ZodMiniType,
  body: object,
  marks: "first" | "all" = "first",
): boolean {
  const parsed = schema.safeParse(body);
  const language = currentLanguage();
  const faults = parsed.success
    ? []
    : faultsOf(parsed.error.issues, language, FIELD_LABELS[language]);
  markFields(form, marks === "all" ? faults : faults.slice(0, 1));
  return faults.length === 0;
}
