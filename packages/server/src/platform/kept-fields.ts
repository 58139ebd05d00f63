/**
 * Replaces texts about players in the input of operators' calls (behaviour §3). The marks of the schemas show which
 * texts to replace (contract/src/platform/marks.ts).
 */
import { partOf } from "@red/contract/platform/marks";
import type { Mark } from "@red/contract/platform/marks";
import type * as z from "zod/mini";

type KeptMark = Extract<Mark, "words" | "account" | "filter">;

function changeKept(
  schema: z.core.$ZodType,
  value: unknown,
  kind: KeptMark,
  change: (text: string) => string,
): unknown {
  const part = partOf(schema);
  if (part.kind === "leaf") {
    return part.mark === kind && typeof value === "string" ? change(value) : value;
  }
  if (part.kind === "list" && Array.isArray(value)) {
    return value.map((one) => changeKept(part.of, one, kind, change));
  }
  if (part.kind !== "object" || typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const field = part.fields[key];
    return field === undefined ? [] : [[key, changeKept(field, one, kind, change)]];
  });
  return Object.fromEntries(entries);
}

/** Replaces the texts that the schema marks as `kind`. Drops fields that the schema does not name. */
export async function replaceKept<T>(
  schema: z.core.$ZodType | undefined,
  input: T,
  kind: KeptMark,
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
  // Only texts are replaced, by texts, so the type stays the same.
  return changeKept(schema, input, kind, (text) => all.get(text) ?? text) as T;
}
