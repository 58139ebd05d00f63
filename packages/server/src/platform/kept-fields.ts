/** Replaces texts about players in operators' calls, found by the marks of their schemas (contract/src/platform/marks.ts; behaviour §3). */
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

/** The input with the texts replaced that its schema marks as `kind`, and without fields that it does not name. */
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
  // Texts are replaced by texts.
  return changeKept(schema, input, kind, (text) => all.get(text) ?? text) as T;
}
