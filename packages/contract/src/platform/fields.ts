/**
 * Building blocks of the schemas. A check has a text key (with values) instead of a sentence; faults.ts
 * converts issues to texts in the caller's language.
 */
import * as z from "zod/mini";
import { isDate, isDateTime, isOutsideYears, YEAR_MAX, YEAR_MIN } from "./datetime.ts";
import {
  EXTERNAL_ID_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PAGE_MAX,
  PAGE_SIZE_DEFAULT,
  REASON_LENGTH_MAX,
} from "./limits.ts";
import { marked, plain } from "./marks.ts";
import { AMOUNT_CENTS_MAX, DECIMAL, formatCents, parseCents } from "./money.ts";
import type { TextKey } from "./texts.ts";

/** Packs a text key and its values into one string, because a check can have only one string. */
export function say(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return [key, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join("|");
}

/**
 * Control characters, lone surrogates, direction overrides, and the two characters that mark players in stored texts
 * (server/platform/player-names.ts). The server rejects them, also in files and in the wallet's responses.
 */
export const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ue000\ue001\ufffe\uffff]/u;

/* Invisible characters that copying from a spreadsheet or a file dialog adds around a text. */
const AROUND = /[\s\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

/**
 * Trims spaces and invisible characters. Works character by character, because a regular expression for the
 * end takes quadratic time.
 */
function bare(text: string): string {
  let from = 0;
  let end = text.length;
  while (from < end && AROUND.test(text.charAt(from))) {
    from += 1;
  }
  while (end > from && AROUND.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(from, end);
}

/*
 * Invisible characters that their neighbours need: flags of regions, variation selectors, and joiners in
 * emoji, Persian and the scripts of India.
 */
const NEEDED: readonly RegExp[] = [
  /(\u{1f3f4})[\u{e0020}-\u{e007e}]+\u{e007f}/gu,
  /([^\s\p{Cc}\p{Cf}\p{DI}])\p{VS}/gu,
  /([^\s\p{Cc}\p{Cf}\p{DI}])[\u200c\u200d](?=[^\s\p{Cc}\p{Cf}\p{DI}])/gu,
];

/* Characters without a visible form: two names that differ only in such characters look the same. */
const INVISIBLE = /[\p{DI}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/u;

/* Matches most texts: nothing to trim, and no character to check. */
const PLAIN = /^[!-~]+$/;

/**
 * Returns the first invisible character that its neighbours do not need, as `U+200B`; null if there is no
 * such character.
 */
function invisibleIn(text: string): string | null {
  if (PLAIN.test(text)) {
    return null;
  }
  const rest = NEEDED.reduce((left, needed) => left.replaceAll(needed, "$1"), text);
  const point = INVISIBLE.exec(rest)?.[0].codePointAt(0);
  return point === undefined ? null : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

interface RawIssue {
  readonly input?: unknown;
}

/** Makes the message for a value of a wrong type. The message is `missing` if there is no value. */
function unless(missing: TextKey, other: string) {
  return ({ input }: RawIssue) => (input === undefined || input === null ? missing : other);
}

/** Like `unless`, but an empty text also counts as missing. */
function unlessEmpty(missing: TextKey, other: string) {
  const message = unless(missing, other);
  return ({ input }: RawIssue) => (input === "" ? missing : message({ input }));
}

/** Makes the message for a value that is not a text: "required" if the value is missing. */
const noText = ({ input }: RawIssue): TextKey => (input === undefined ? "required" : "not_a_text");

const atMost = (max: number) => z.maxLength(max, say("too_long", { max }));
const printable = () =>
  z.refine<string>((value) => !UNPRINTABLE.test(value), { error: "bad_characters" });

/**
 * A required text of 1 … `max` characters, trimmed. `key` is the message if the text is missing or empty.
 * Filters and reasons use this type: it accepts invisible characters inside, which pasting leaves.
 */
export function trimmedText(key: TextKey, max: number) {
  return z
    .string({ error: key })
    .check(z.overwrite(bare), z.minLength(1, key), atMost(max), printable());
}

/**
 * A required text that becomes a name: a `trimmedText` without invisible characters, so that no two names look alike.
 */
export function name(key: TextKey, max: number) {
  const visible = trimmedText(key, max).check(
    z.refine((value) => UNPRINTABLE.test(value) || invisibleIn(value) === null, {
      error: ({ input }) =>
        say("invisible_character", { character: invisibleIn(String(input)) ?? "" }),
    }),
  );
  return visible.register(z.globalRegistry, { description: "Trimmed; every character is visible" });
}

/**
 * A `trimmedText` that a person types and the server keeps. The server stores references instead of the
 * players in the text (behaviour §3).
 */
export function keptText(key: TextKey) {
  return marked("words", trimmedText(key, REASON_LENGTH_MAX));
}

/** Like `keptText`, but the text may be empty or missing. */
export function keptNote() {
  const typed = freeText(REASON_LENGTH_MAX).check(z.trim());
  return z.optional(z.nullable(marked("words", typed)));
}

/** The account of a player; the server stores a reference to the player. */
export function accountName() {
  return marked("account", trimmedText("enter_account", NAME_LENGTH_MAX));
}

/** A one-time code. A call without a code gets a request for the code, and this does not count as a wrong code. */
export const optionalCode = () =>
  z.optional(z.nullable(z.string({ error: "not_a_text" }).check(z.trim())));

/** An identifier given by a caller: 1–64 characters, not trimmed. */
export function externalId() {
  return z
    .string({ error: unless("required", "not_a_text") })
    .check(z.minLength(1, "required"), atMost(EXTERNAL_ID_LENGTH_MAX), printable());
}

/** A text that may be empty, such as a reason. */
export function freeText(max: number) {
  return z.string({ error: noText }).check(atMost(max), printable());
}

export function filterText() {
  const typed = z.string({ error: noText }).check(z.overwrite(bare), atMost(128), printable());
  return marked("filter", typed);
}

/** A required filter text; `key` is the message if the text is missing or empty. */
export function neededFilter(key: TextKey) {
  const typed = z
    .string({ error: unless(key, "not_a_text") })
    .check(z.overwrite(bare), z.minLength(1, key), atMost(128), printable());
  return marked("filter", typed);
}

/** At most `max` rows of any type. The server parses each row later. */
export function rowList(max: number) {
  return z
    .array(z.unknown(), { error: unless("required", "not_a_list") })
    .check(z.maxLength(max, say("too_many", { max })));
}

const DIGITS = /^\d+$/;
/** Digits, or a negative number. A negative number is whole, so its error is "out of range". */
const WHOLE = /^(?:\d|-0*[1-9])\d*$/;

/** Returns true for a whole number in digits, however large. */
function isWhole(input: unknown): boolean {
  return typeof input === "string" ? WHOLE.test(input) : Number.isInteger(input);
}

/**
 * A whole number sent as number or digits, parsed to a number. `missing` is the message if the value is
 * missing. A value beyond 2^53, where numbers are not exact, is out of range.
 */
export function wholeNumber(min: number, max: number, missing: TextKey = "required") {
  const range = say("out_of_range", { min, max });
  const error = ({ input }: RawIssue) =>
    unlessEmpty(missing, isWhole(input) ? range : "not_a_number")({ input });
  const digits = z.string().check(z.regex(DIGITS, { error }));
  const read = z.pipe(
    z.union([z.int({ error }), z.pipe(digits, z.transform(Number))], { error }),
    z.number({ error: range }).check(z.gte(min, range), z.lte(max, range)),
  );
  return read.register(z.globalRegistry, { minimum: min, maximum: max });
}

/** Accepts "" and null, parsed to null. */
export const none = z.pipe(
  z.union([z.literal(""), z.null()]),
  z.transform(() => null),
);

/** A whole number from 1 on, or no number: null, "" and a missing field are parsed to null. */
export function countOrNone(max: number) {
  const range = say("out_of_range", { min: 1, max });
  const error = ({ input }: RawIssue) => (isWhole(input) ? range : "not_a_number");
  return z._default(z.union([none, wholeNumber(1, max)], { error }), null);
}

/** One of the codes, sent as text or number (behaviour §1), parsed to text. */
export function code<const T extends readonly [string, ...string[]]>(
  values: T,
  missing: TextKey = "required",
) {
  const numbers = values.map(Number) as [number, ...number[]];
  return z.pipe(
    z.union([z.enum(values), z.pipe(z.literal(numbers), z.transform(String))], {
      error: unlessEmpty(missing, "not_in_set"),
    }),
    z.enum(values),
  );
}

/**
 * One of the codes, sent as text or number, parsed to a number. `other` is the message for a value that is
 * not in the list.
 */
export function numberCode<const T extends readonly [number, ...number[]]>(
  values: T,
  missing: TextKey = "required",
  other: TextKey = "not_in_set",
) {
  const texts = values.map(String) as [string, ...string[]];
  return z.pipe(
    z.union([z.literal(values), z.pipe(z.enum(texts), z.transform(Number))], {
      error: unlessEmpty(missing, other),
    }),
    z.literal(values),
  );
}

/** Decimal text, parsed to whole cents. The minimum is `min` cents. */
function cents(missing: TextKey, min: number) {
  const range = say("out_of_range", { min: formatCents(min), max: formatCents(AMOUNT_CENTS_MAX) });
  return z.pipe(
    z.string().check(
      z.trim(),
      z.minLength(1, missing),
      z.refine((value) => value === "" || parseCents(value) !== null, { error: "not_an_amount" }),
    ),
    z.pipe(
      z.transform((value: string) => parseCents(value) ?? 0),
      z.int().check(z.gte(min, range), z.lte(AMOUNT_CENTS_MAX, range)),
    ),
  );
}

function decimalFrom(min: number) {
  const description = `Decimal text from ${formatCents(min)} to ${formatCents(AMOUNT_CENTS_MAX)}`;
  return { pattern: DECIMAL.source, description };
}

/**
 * An amount of money, parsed to whole cents. Callers send decimal text; the older client sends a number.
 * `min` is in cents.
 */
export function amount(missing: TextKey, min = 0) {
  const decimal = z.union([z.string(), z.pipe(z.number(), z.transform(String))], {
    error: unless(missing, "not_an_amount"),
  });
  return z.pipe(decimal, cents(missing, min)).register(z.globalRegistry, decimalFrom(min));
}

/**
 * An amount of money of a platform call: only decimal text (platform-api). The error for a number gives a
 * hint, because the sender's number type may already have lost cents.
 */
export function platformAmount(min = 0) {
  const decimal = z.string({
    error: ({ input }) => (typeof input === "number" ? "amount_not_text" : "not_an_amount"),
  });
  return z.pipe(decimal, cents("not_an_amount", min)).register(z.globalRegistry, decimalFrom(min));
}

export function amountText() {
  return z.string().register(z.globalRegistry, { pattern: String.raw`^\d+\.\d\d$` });
}

/** An instant in the response of a platform call: RFC 3339 in the business time zone. */
export function instantText() {
  return z.string().register(z.globalRegistry, { format: "date-time" });
}

/** Makes the message for a text that is not a date. A real date outside the allowed years is out of range. */
function noDate(key: TextKey) {
  return ({ input }: RawIssue) =>
    typeof input === "string" && isOutsideYears(input)
      ? say("year_out_of_range", { min: YEAR_MIN, max: YEAR_MAX })
      : key;
}

/** A local date and time of the business time zone. The value stays text; the server converts it to an instant. */
export function dateTime(missing: TextKey = "not_a_date_time") {
  return z.string({ error: missing }).check(
    z.minLength(1, missing),
    z.refine((value) => value === "" || isDateTime(value), { error: noDate("not_a_date_time") }),
  );
}

/** A time of day. A time without seconds means the full minute. */
export function timeOfDay() {
  const shape = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
  return z.pipe(
    z.string({ error: "not_a_time_of_day" }).check(z.regex(shape, { error: "not_a_time_of_day" })),
    z.transform((text) => (text.length === 5 ? `${text}:00` : text)),
  );
}

/**
 * Who saved an object last and when, so that two operators notice that they edit it at the same time. Null if no audit
 * row says this. The field is separate, because older clients send back all fields that they have read.
 */
export const lastSave = z.nullable(z.object({ by: plain(), at: plain() }));
export type LastSave = z.output<typeof lastSave>;

export function date(missing: TextKey = "not_a_date") {
  return z.string({ error: missing }).check(
    z.minLength(1, missing),
    z.refine((value) => value === "" || isDate(value), { error: noDate("not_a_date") }),
  );
}

export function id() {
  return wholeNumber(1, Number.MAX_SAFE_INTEGER);
}

export const byId = z.object({ id: id() });

/** 1 to `max` ids in one text, separated by commas and kept in order. Each id is valid for `id()`. */
export function idList(max: number) {
  const ids = z.string({ error: noText }).check(
    z.refine(
      (value) =>
        value
          .split(",")
          .every(
            (one) => DIGITS.test(one) && Number(one) >= 1 && Number.isSafeInteger(Number(one)),
          ),
      { error: "not_id_list" },
    ),
    z.refine((value) => value.split(",").length <= max, { error: say("too_many", { max }) }),
  );
  const description = `Whole numbers with commas between them, at most ${max}`;
  return z
    .pipe(
      ids,
      z.transform((value: string) => value.split(",").map(Number)),
    )
    .register(z.globalRegistry, { description });
}

export function fileFormat() {
  return z._default(z.enum(["xlsx", "csv"], { error: "not_in_set" }), "xlsx");
}

export function paging(sizeMax: number) {
  return {
    page: z._default(wholeNumber(1, PAGE_MAX), 1),
    size: z._default(wholeNumber(1, sizeMax), PAGE_SIZE_DEFAULT),
  };
}

/**
 * A rule over several `fields`. The error names the last field. The rule does not run if one of the fields
 * already has an error, because a second message would not help.
 */
export function ruleOver<T>(
  error: TextKey,
  fields: readonly (keyof T & string)[],
  holds: (value: T) => boolean,
) {
  return z.refine<T>(holds, {
    error,
    path: fields.slice(-1),
    when: ({ issues }) =>
      issues.every(({ code: kind, path }) => {
        const [field] = path ?? [];
        return (
          kind === "unrecognized_keys" ||
          (field !== undefined && fields.every((one) => one !== field))
        );
      }),
  });
}
