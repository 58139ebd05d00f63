/** Checks bodies and filters against the contract before they are sent, with the texts that the server would say. */
import { faultsOf } from "@red/contract/faults";
import { FIELD_LABELS } from "@red/contract/field-labels";
import type { FieldFault } from "@red/contract/envelope";
import type { FormInstance } from "antd";
import type * as z from "zod/mini";
import { ApiError, withoutNulls } from "#lib/api.ts";
import { currentLanguage } from "#lib/language.ts";

function faultsIn(
  schema: z.ZodMiniType,
  value: unknown,
  labels: Readonly<Record<string, string>> = FIELD_LABELS[currentLanguage()],
): readonly FieldFault[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : faultsOf(parsed.error.issues, currentLanguage(), labels);
}

/** Throws the refusal that the server would answer; nothing has been sent then, nothing toasted. */
export function assertBody(schema: z.ZodMiniType, body: unknown): void {
  const errors = faultsIn(schema, body);
  const [first] = errors;
  if (first !== undefined) {
    throw new ApiError(first.msg, null, { errors });
  }
}

/** Checks what a filter form would ask for; its fields are called as the form calls them. */
export function filterCheck(
  schema: z.ZodMiniType,
  fields: readonly { readonly name: string; readonly label: string }[],
): (values: Readonly<Record<string, string | undefined>>) => readonly FieldFault[] {
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));
  return (values) => faultsIn(schema, withoutNulls(values), labels);
}

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
  // The specification checks some forms field by field, in an order of its own (spec §5).
  const faults = faultsIn(schema, body);
  markFields(form, marks === "all" ? faults : faults.slice(0, 1));
  return faults.length === 0;
}
