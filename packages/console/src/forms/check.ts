/** Checks bodies and filters against the contract before they are sent, with the texts that the server would say. */
import { faultsOf } from "@red/contract/faults";
import { FIELD_LABELS } from "@red/contract/field-labels";
import type * as z from "zod/mini";
import type { FieldFault } from "@red/contract/envelope";
import { ApiError, withoutNulls } from "#lib/api.ts";
import { currentLanguage } from "#lib/language.ts";

/** Throws the refusal that the server would answer; nothing has been sent then, nothing toasted. */
export function assertBody(schema: z.ZodMiniType, body: unknown): void {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const language = currentLanguage();
    const errors = faultsOf(parsed.error.issues, language, FIELD_LABELS[language]);
    throw new ApiError(errors[0].msg, null, { errors });
  }
}

/** Checks what a filter form would ask for; its fields are called as the form calls them. */
export function filterCheck(
  schema: z.ZodMiniType,
  fields: readonly { readonly name: string; readonly label: string }[],
): (values: Readonly<Record<string, string | undefined>>) => readonly FieldFault[] {
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));
  return (values) => {
    const parsed = schema.safeParse(withoutNulls(values));
    return parsed.success ? [] : faultsOf(parsed.error.issues, currentLanguage(), labels);
  };
}
