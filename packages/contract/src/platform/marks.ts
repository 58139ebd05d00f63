/**
 * A mark says what a text in a call or response tells about players (behaviour §3, §9). Every text in an operator's
 * response needs a mark (marks.test.ts checks this). The server uses the marks to mask texts, and hides a text without
 * a mark. In an operator's call the marks show which texts the server must store as references to players.
 */
import * as z from "zod/mini";

export const MARKS = [
  /** Tells nothing about players: names of rounds, prizes and operators, times, numbers, codes. */
  "plain",
  /** Money of the house: prices, risks, and figures of whole rounds. */
  "money",
  /** The account or the id of a player. */
  "account",
  /** What a player deposited, bet or won. Also sums of such amounts, because a sum may include only one player. */
  "amount",
  /** Text by people, platforms or wallets, or JSON with such text. The text may name a player or an amount. */
  "words",
  /** Like `words`, but the usual reasons of wallets and checks are safe to show. */
  "reason",
  /** A value created for the caller, who sees the value only once. */
  "secret",
  /** Search text of a list, in a call. The audit log keeps this text when an operator requests a file. */
  "filter",
] as const;
export type Mark = (typeof MARKS)[number];

const marks = z.registry<{ mark: Mark }>();

/** Adds the mark to a schema that is not plain text. */
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

/** A schema in the form that masking needs. `mark` is null for a text without a mark. */
export type Part =
  | { readonly kind: "leaf"; readonly mark: Mark | null }
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, z.core.$ZodType>> }
  | { readonly kind: "list" | "map"; readonly of: z.core.$ZodType }
  | { readonly kind: "either"; readonly of: readonly z.core.$ZodType[] };

/** Kinds of values that contain no text, or only a fixed word of the contract. */
const NO_TEXT: ReadonlySet<string> = new Set(["number", "boolean", "null", "enum", "literal"]);

/** Returns the part of a schema for values that handlers return, before parsing. */
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
