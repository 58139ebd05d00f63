/** What operators' calls say of players, where their schemas mark it (contract/src/fields.ts; behaviour §3). */
import { keptAs } from "@red/contract/fields";
import type { KeptAs } from "@red/contract/fields";
import type * as z from "zod/mini";

function changeKept(
  schema: z.core.$ZodType,
  value: unknown,
  kind: KeptAs,
  change: (text: string) => string,
): unknown {
  const as = keptAs(schema);
  if (as !== null || value === null || value === undefined) {
    return as === kind && typeof value === "string" ? change(value) : value;
  }
  // The union of all schemas that zod has.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "optional" || def.type === "nullable" || def.type === "default") {
    return changeKept(def.innerType, value, kind, change);
  }
  if (def.type === "array" && Array.isArray(value)) {
    return value.map((one) => changeKept(def.element, one, kind, change));
  }
  if (def.type !== "object") {
    return value;
  }
  const { shape } = def;
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const field = shape[key];
    return field === undefined ? [] : [[key, changeKept(field, one, kind, change)]];
  });
  return Object.fromEntries(entries);
}

/** The input with the texts replaced that its schema marks as `kind`, and without fields that it does not name. */
export async function replaceKept<T>(
  schema: z.core.$ZodType | undefined,
  input: T,
  kind: KeptAs,
  replace: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<T> {
  const found = new Set<string>();
  if (schema === undefined) {
    return input;
  }
  changeKept(schema, input, kind, (text) => (found.add(text), text));
  const texts = [...found];
  const replaced = await replace(texts);
  const all = new Map(texts.map((text, at) => [text, replaced[at] ?? text]));
  // Texts are replaced by texts.
  return changeKept(schema, input, kind, (text) => all.get(text) ?? text) as T;
}
