/**
 * Checks request bodies and filters with the schemas of the contract before they are sent. The error texts are the same
 * as on the server.
 */
import { faultsOf } from "@red/contract/platform/faults";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import type { FieldFault } from "@red/contract/platform/envelope";
import type { FormInstance } from "antd";
import type * as z from "zod/mini";
import { ApiError, withoutNulls } from "#lib/api.ts";
import type { Change } from "#lib/api.ts";
import { currentLanguage } from "#lib/language.ts";

/** Returns the errors that the server would report. `labels` are the names of the fields in these texts. */
export function faultsIn(
  schema: z.ZodMiniType,
  value: unknown,
  labels: Readonly<Record<string, string>> = FIELD_LABELS[currentLanguage()],
): readonly FieldFault[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : faultsOf(parsed.error.issues, currentLanguage(), labels);
}

/** Throws the error that the server would send, but makes no call and shows no toast. */
export function assertBody(schema: z.ZodMiniType, body: unknown): void {
  const errors = faultsIn(schema, body);
  const [first] = errors;
  if (first !== undefined) {
    throw new ApiError(first.msg, null, { errors });
  }
}

/** Returns the change if the server would accept its body. Otherwise throws as `assertBody` does. */
export function checked<C extends Change>(change: C): C {
  if (change.route.body !== undefined) {
    assertBody(change.route.body, change.parts.body);
  }
  return change;
}

/** Returns a check for a filter form. The check uses the schema of the list and the labels of the form. */
export function filterCheck(
  schema: z.ZodMiniType,
  fields: readonly { readonly name: string; readonly label: string }[],
): (values: Readonly<Record<string, string | undefined>>) => readonly FieldFault[] {
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));
  return (values) => faultsIn(schema, withoutNulls(values), labels);
}

/** Marks exactly these fields of the form as wrong, and moves the focus to the first of them. */
export function markFields(form: FormInstance, faults: readonly FieldFault[]): void {
  // `getFieldsValue` omits a field that was never filled in, so the names in `faults` are added.
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
 * Checks a body in the field order of its schema and returns whether the body is valid. Removes earlier marks, marks
 * the first wrong field or all of them, and moves the focus to the first.
 */
export function passes(
  form: FormInstance,
  schema: z.ZodMiniType,
  body: object,
  marks: "first" | "all" = "first",
): boolean {
  // For some forms spec §5 defines the field order and allows only one message at a time.
  const faults = faultsIn(schema, body);
  markFields(form, marks === "all" ? faults : faults.slice(0, 1));
  return faults.length === 0;
}
