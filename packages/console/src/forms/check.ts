/** Checks bodies and filters by the contract before they are sent, with the server's texts. */
import { faultsOf } from "@red/contract/platform/faults";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import type { FieldFault } from "@red/contract/platform/envelope";
import type { FormInstance } from "antd";
import type * as z from "zod/mini";
import { ApiError, withoutNulls } from "#lib/api.ts";
import type { Change } from "#lib/api.ts";
import { currentLanguage } from "#lib/language.ts";

/** The faults that the server would report; `labels` are the names of fields. */
export function faultsIn(
  schema: z.ZodMiniType,
  value: unknown,
  labels: Readonly<Record<string, string>> = FIELD_LABELS[currentLanguage()],
): readonly FieldFault[] {
  const parsed = schema.safeParse(value);
  return parsed.success ? [] : faultsOf(parsed.error.issues, currentLanguage(), labels);
}

/** Throws the refusal that the server would send, without a call or a toast. */
export function assertBody(schema: z.ZodMiniType, body: unknown): void {
  const errors = faultsIn(schema, body);
  const [first] = errors;
  if (first !== undefined) {
    throw new ApiError(first.msg, null, { errors });
  }
}

/** The change itself, if the server would accept its body. Throws as `assertBody` does. */
export function checked<C extends Change>(change: C): C {
  if (change.route.body !== undefined) {
    assertBody(change.route.body, change.parts.body);
  }
  return change;
}

/** The check of a filter form by the list's schema, with the form's labels. */
export function filterCheck(
  schema: z.ZodMiniType,
  fields: readonly { readonly name: string; readonly label: string }[],
): (values: Readonly<Record<string, string | undefined>>) => readonly FieldFault[] {
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));
  return (values) => faultsIn(schema, withoutNulls(values), labels);
}

/** Marks exactly these fields of the form, and focuses the first. */
export function markFields(form: FormInstance, faults: readonly FieldFault[]): void {
  // The form has no value for a field that was never filled in.
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
 * Checks a body in the order of its schema. Marks the first faulty field or all of them, focuses the first, and clears
 * earlier marks. True if there is no fault.
 */
export function passes(
  form: FormInstance,
  schema: z.ZodMiniType,
  body: object,
  marks: "first" | "all" = "first",
): boolean {
  // The specification defines the order of some forms, and wants one message at a time (spec §5).
  const faults = faultsIn(schema, body);
  markFields(form, marks === "all" ? faults : faults.slice(0, 1));
  return faults.length === 0;
}
