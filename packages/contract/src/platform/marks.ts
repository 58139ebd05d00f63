/**
 * What the texts of calls and answers tell of players (behaviour §3, §9). Each text of an operator's answer is made by one
 * of these, which marks.test.ts checks; the server masks by them, and hides a text without a mark. What an operator's call
 * names of players is stored as references by the same marks.
 */
import * as z from "zod/mini";

export const MARKS = [
  /** Nothing: names of rounds, prizes and operators, times, numbers, codes. */
  "plain",
  /** The house's own money: prices, risks, and figures of whole rounds. */
  "money",
  /** The account or the id of a player. */
  "account",
  /** What a player deposited, bet or won; sums of that too, which may be of one player. */
  "amount",
  /** What people, platforms or wallets wrote, or JSON with it, which may name a player or an amount. */
  "words",
  /** As `words`, but for the usual reasons of wallets and checks. */
  "reason",
  /** Made for the caller, who sees it this once. */
  "secret",
  /** Of a call: what a list is searched by; kept in the audit log when a file is asked for. */
  "filter",
] as const;
export type Mark = (typeof MARKS)[number];

const marks = z.registry<{ mark: Mark }>();

/** The schema with the mark, for what is no plain text. */
export function marked<S extends z.ZodMiniType>(mark: Mark, schema: S): S {
  marks.add(schema, { mark });
  return schema;
}

export const markOf = (schema: z.core.$ZodType): Mark | null => marks.get(schema)?.mark ?? null;

export const plain = () => marked("plain", z.string());
export const houseMoney = () => marked("money", z.string());
export const account = () => marked("account", z.string());
export const playerAmount = () => marked("amount", z.string());
export const words = () => marked("words", z.string());
export const walletWords = () => marked("reason", z.string());
export const secret = () => marked("secret", z.string());

/** A schema as a mask reads it; `mark` is null for a text that says nothing of itself. */
export type Part =
  | { readonly kind: "leaf"; readonly mark: Mark | null }
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, z.core.$ZodType>> }
  | { readonly kind: "list" | "map"; readonly of: z.core.$ZodType }
  | { readonly kind: "either"; readonly of: readonly z.core.$ZodType[] };

/** Kinds of values that hold no text, or one of a few that the contract names. */
const NO_TEXT: ReadonlySet<string> = new Set(["number", "boolean", "null", "enum", "literal"]);

/** Of what handlers answer, before it is parsed. */
export function partOf(schema: z.core.$ZodType): Part {
  const mark = markOf(schema);
  if (mark !== null) {
    return { kind: "leaf", mark };
  }
  // The union of all schemas that zod has.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "object") {
    return { kind: "object", fields: def.shape };
  }
  if (def.type === "array") {
    return { kind: "list", of: def.element };
  }
  if (def.type === "record") {
    return { kind: "map", of: def.valueType };
  }
  if (def.type === "union") {
    return { kind: "either", of: def.options };
  }
  if (def.type === "nullable" || def.type === "optional" || def.type === "default") {
    return partOf(def.innerType);
  }
  return { kind: "leaf", mark: NO_TEXT.has(def.type) ? "plain" : null };
}
