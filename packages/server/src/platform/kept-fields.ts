/** What operators' calls say of players and is kept, where their schemas mark it (contract/src/fields.ts; behaviour §3). */
import { keptAs } from "@red/contract/fields";
import type { Db } from "./connection.ts";
import { referTexts } from "./player-names.ts";
import type * as z from "zod/mini";

/** The value with what the schema marks as `kind` changed. */
export function changeKept(
  schema: z.core.$ZodType,
  value: unknown,
  kind: "text" | "account",
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
  const entries = Object.entries(value).map(([key, one]) => {
    const field = shape[key];
    return [key, field === undefined ? one : changeKept(field, one, kind, change)];
  });
  return Object.fromEntries(entries);
}

/** The input with references in its typed texts. */
export async function withReferences<T>(
  db: Db,
  schema: z.core.$ZodType | undefined,
  input: T,
): Promise<T> {
  if (schema === undefined) {
    return input;
  }
  const typed = new Set<string>();
  changeKept(schema, input, "text", (text) => (typed.add(text), text));
  const texts = [...typed];
  const referring = await referTexts(db, texts);
  const stored = new Map(texts.map((text, at) => [text, referring[at] ?? text]));
  // Texts are replaced by texts.
  return changeKept(schema, input, "text", (text) => stored.get(text) ?? text) as T;
}
