/**
 * Cases of fields: a value, and what must become of it. Expectations are written down from the rules, not
 * read from the schemas: a wrong schema is found by them.
 */
import type { ErrorKey, TextValues } from "@red/contract/errors";
import type { TextKey } from "@red/contract/texts-zh";
import {
  AROUND_TEXTS,
  BLANK_TEXTS,
  EMPTY_TEXTS,
  INVISIBLE_TEXTS,
  TROUBLE_TEXTS,
  UNPRINTABLE_TEXTS,
  WRONG_TYPES,
} from "#test/contract-corpus";
import type { Odd } from "#test/contract-corpus";

/** Taken; `kept` is what is stored of it, as the wire writes it. */
interface Take {
  readonly kept?: unknown;
}

/** Refused as bad input of this field, in these words. */
interface Refuse {
  readonly refuse: TextKey;
  readonly values?: TextValues;
  /** Which place of the field, where it is a list. */
  readonly at?: string;
}

/** Well formed, and refused by what is there or is not. */
export interface Against {
  readonly against: ErrorKey;
  readonly code: number;
  readonly values?: TextValues;
  /** The sentence, where it is not the error's own. */
  readonly words?: string;
}

export type Expectation = Take | Refuse | Against;

/** One value of one field. */
export interface Case {
  readonly label: string;
  /** The JSON token; null leaves the field out. */
  readonly json: string | null;
  readonly expect: Expectation;
}

/** A kind of field: its cases. */
export type Kind = readonly Case[];

/** The field is left out. */
export const ABSENT: Odd = { label: "absent", json: "" };

/** Judges each value. */
export function cases(odds: readonly Odd[], judge: (odd: Odd) => Expectation): Case[] {
  return odds.map((odd) => ({
    label: odd.label,
    json: odd === ABSENT ? null : odd.json,
    expect: judge(odd),
  }));
}

/** Texts with their names as values of JSON. */
export function texts(values: Readonly<Record<string, string>>): Odd[] {
  return Object.entries(values).map(([label, value]) => ({ label, json: JSON.stringify(value) }));
}

/** Left out, null, and an empty text. */
export const NOTHING: readonly Odd[] = [
  ABSENT,
  { label: "null", json: "null" },
  { label: "empty text", json: '""' },
];
export const WRONG: readonly Odd[] = Object.entries(WRONG_TYPES).map(([label, json]) => ({
  label,
  json,
}));
export const LISTS_AND_OBJECTS = WRONG.filter(({ json }) => /^[[{]/.test(json));
export const TROUBLE = texts(TROUBLE_TEXTS);
export const UNPRINTABLE = texts(UNPRINTABLE_TEXTS);
export const BLANK = texts(BLANK_TEXTS);
export const INVISIBLE = texts(INVISIBLE_TEXTS);
export const AROUND = texts(AROUND_TEXTS);
export const EMPTY = texts(EMPTY_TEXTS);

/** Texts around a greatest length. */
export function lengths(max: number): { readonly fitting: Odd[]; readonly long: Odd[] } {
  return {
    fitting: texts({
      "one character": "x",
      "as long as may be": "x".repeat(max),
      "as long as may be, Chinese": "红".repeat(max),
    }),
    long: texts({
      "one too long": "x".repeat(max + 1),
      "one too long, Chinese": "红".repeat(max + 1),
      "far too long": "x".repeat(max * 20),
      "60 kB": "x".repeat(60_000),
    }),
  };
}

/** The text of a token that is one. */
export function textIn(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === "string" ? value : "";
}

export interface Words {
  /** Most characters. */
  readonly max: number;
  /** Said of nothing, of blanks, and of what is no text. */
  readonly missing: TextKey;
}

/** These tokens, all of them with one outcome. */
export function each(tokens: readonly string[], expect: Expectation): Kind {
  return tokens.map((json) => ({ label: json, json, expect }));
}

/** One case by itself; null leaves the field out. */
export function one(label: string, json: string | null, expect: Expectation): Kind {
  return [{ label, json, expect }];
}

/** All refusals, and the first few of what is taken: for a call that takes its time. */
export function few(kind: Kind): Kind {
  const isRefused = ({ expect }: Case) => "refuse" in expect || "against" in expect;
  return [...kind.filter(isRefused), ...kind.filter((one) => !isRefused(one)).slice(0, 4)];
}
