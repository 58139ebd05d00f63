/**
 * Building blocks of the schemas. A check carries a text key (with values) instead of a sentence;
 * faults.ts turns issues into texts of the caller's language.
 */
import * as z from "zod/mini";
import { isDate, isDateTime, isOutsideYears, YEAR_MAX, YEAR_MIN } from "./datetime.ts";
import type { TextValues } from "./errors.ts";
import { EXTERNAL_ID_LENGTH_MAX, PAGE_MAX, PAGE_SIZE_DEFAULT } from "./limits.ts";
import { AMOUNT_CENTS_MAX, DECIMAL, formatCents, parseCents } from "./money.ts";
import type { TextKey } from "./texts-zh.ts";

/** Packs a text key and its values into the one string that a check may carry. */
export function say(key: TextKey, values: TextValues = {}): string {
  return [key, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join("|");
}

/* Control characters, lone surrogates and direction overrides have no place in a name. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u;

/* What copying from a spreadsheet or a file dialog leaves around a text, without a trace on screen. */
const AROUND = /[\s\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

/**
 * The text without spaces and invisible characters around it. Character by character: an expression for
 * the end would take the square of a text's length.
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

/* Invisible, and yet what makes the characters next to them what they are: flags of regions, forms of a
   character, and what joins two of them in emoji, Persian and the scripts of India. */
const NEEDED: readonly RegExp[] = [
  /(\u{1f3f4})[\u{e0020}-\u{e007e}]+\u{e007f}/gu,
  /([^\s\p{Cc}\p{Cf}\p{DI}])\p{VS}/gu,
  /([^\s\p{Cc}\p{Cf}\p{DI}])[\u200c\u200d](?=[^\s\p{Cc}\p{Cf}\p{DI}])/gu,
];

/* Nothing is seen of these, or a blank: two names that differ in them look the same. */
const INVISIBLE = /[\p{DI}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]/u;

/** The first character that nobody would see, as `U+200B`; null when all can be seen. */
function invisibleIn(text: string): string | null {
  const rest = NEEDED.reduce((left, needed) => left.replaceAll(needed, "$1"), text);
  const point = INVISIBLE.exec(rest)?.[0].codePointAt(0);
  return point === undefined ? null : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * A required text, 1 … `max` characters without what is invisible around it; `key` is said when it is
 * missing or empty. For what is looked for, and for reasons: what stands inside is no fault of who pastes it.
 */
export function trimmedText(key: TextKey, max: number) {
  return z.string({ error: key }).check(
    z.overwrite(bare),
    z.minLength(1, key),
    z.maxLength(max, say("too_long", { max })),
    z.refine((value) => !UNPRINTABLE.test(value), { error: "bad_characters" }),
  );
}

/**
 * A required text that is kept as somebody's or something's name: as `trimmedText`, and every character
 * of it can be seen, so that two names never look alike because of one that cannot.
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

/** An identifier given by somebody else: 1–64 characters, kept as it is. */
export function externalId() {
  const range = say("too_long", { max: EXTERNAL_ID_LENGTH_MAX });
  const missing = (issue: { readonly input?: unknown }) =>
    issue.input === undefined || issue.input === null ? "required" : "not_a_text";
  return z.string({ error: missing }).check(
    z.minLength(1, "required"),
    z.maxLength(EXTERNAL_ID_LENGTH_MAX, range),
    z.refine((value) => !UNPRINTABLE.test(value), { error: "bad_characters" }),
  );
}

/** What is said of what is no text: where it is left out, that it is missing. */
function noText({ input }: { readonly input?: unknown }): TextKey {
  return input === undefined ? "required" : "not_a_text";
}

/** A text that may be empty, such as a reason or a note. */
export function freeText(max: number) {
  return z.string({ error: noText }).check(
    z.maxLength(max, say("too_long", { max })),
    z.refine((value) => !UNPRINTABLE.test(value), { error: "bad_characters" }),
  );
}

/** A filter text: as typed, without what is invisible around it. */
export function filterText() {
  return z.string({ error: noText }).check(
    z.overwrite(bare),
    z.maxLength(128, say("too_long", { max: 128 })),
    z.refine((value) => !UNPRINTABLE.test(value), { error: "bad_characters" }),
  );
}

/** The text of a filter that must be there; `key` is said when it is missing or empty. */
export function neededFilter(key: TextKey) {
  const missing = ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null ? key : "not_a_text";
  return z.string({ error: missing }).check(
    z.overwrite(bare),
    z.minLength(1, key),
    z.maxLength(128, say("too_long", { max: 128 })),
    z.refine((value) => !UNPRINTABLE.test(value), { error: "bad_characters" }),
  );
}

/** Rows of any kind, at most `max`; each is checked by itself where it is read. */
export function rowList(max: number) {
  const missing = ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null ? "required" : "not_a_list";
  return z.array(z.unknown(), { error: missing }).check(z.maxLength(max, say("too_many", { max })));
}

const DIGITS = /^\d+$/;
/** Below 0 no number is taken; one that is written so is out of range, and a whole number all the same. */
const WHOLE = /^(?:\d|-0*[1-9])\d*$/;

/** Is it a whole number by its looks, however large? */
function isWhole(input: unknown): boolean {
  return typeof input === "string" ? WHOLE.test(input) : Number.isInteger(input);
}

/**
 * A whole number sent as number or as digits; answered as number. `missing` is said when absent. One
 * beyond 2^53, which a number does not hold exactly, is out of any range.
 */
export function wholeNumber(min: number, max: number, missing: TextKey = "required") {
  const range = say("out_of_range", { min, max });
  const error = ({ input }: { readonly input?: unknown }) => {
    if (input === undefined || input === null || input === "") {
      return missing;
    }
    return isWhole(input) ? range : "not_a_number";
  };
  const digits = z.string().check(z.regex(DIGITS, { error }));
  const read = z.pipe(
    z.union([z.int({ error }), z.pipe(digits, z.transform(Number))], { error }),
    z.number({ error: range }).check(z.gte(min, range), z.lte(max, range)),
  );
  return read.register(z.globalRegistry, { minimum: min, maximum: max });
}

/** One of the codes, sent as text or number (behaviour §1); answered as text. */
export function code<const T extends readonly [string, ...string[]]>(
  values: T,
  missing: TextKey = "required",
) {
  const numbers = values.map(Number) as [number, ...number[]];
  return z.pipe(
    z.union([z.enum(values), z.pipe(z.literal(numbers), z.transform(String))], {
      error: (issue) =>
        issue.input === undefined || issue.input === null || issue.input === ""
          ? missing
          : "not_in_set",
    }),
    z.enum(values),
  );
}

/** One of the codes, sent as text or number; answered as number. `other` is said of any other. */
export function numberCode<const T extends readonly [number, ...number[]]>(
  values: T,
  missing: TextKey = "required",
  other: TextKey = "not_in_set",
) {
  const texts = values.map(String) as [string, ...string[]];
  return z.pipe(
    z.union([z.literal(values), z.pipe(z.enum(texts), z.transform(Number))], {
      error: (issue) =>
        issue.input === undefined || issue.input === null || issue.input === "" ? missing : other,
    }),
    z.literal(values),
  );
}

/** Decimal text, read as whole cents from `min` on. */
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

/** What the description says of an amount. */
function decimalFrom(min: number) {
  const description = `Decimal text from ${formatCents(min)} to ${formatCents(AMOUNT_CENTS_MAX)}`;
  return { pattern: DECIMAL.source, description };
}

/**
 * An amount of money, sent as decimal text (or a plain number, as the older client does); read as
 * whole cents. `min` is in cents.
 */
export function amount(missing: TextKey, min = 0) {
  const decimal = z.union([z.string(), z.pipe(z.number(), z.transform(String))], {
    error: (issue) =>
      issue.input === undefined || issue.input === null ? missing : "not_an_amount",
  });
  return z.pipe(decimal, cents(missing, min)).register(z.globalRegistry, decimalFrom(min));
}

/**
 * An amount of money of a platform call: decimal text and nothing else (platform-api). A number is refused
 * with a hint: what a program holds as one may have lost its cents before it was sent.
 */
export function platformAmount(min = 0) {
  const decimal = z.string({
    error: ({ input }) => (typeof input === "number" ? "amount_not_text" : "not_an_amount"),
  });
  return z.pipe(decimal, cents("not_an_amount", min)).register(z.globalRegistry, decimalFrom(min));
}

/** An amount as it is answered. */
export function amountText() {
  return z.string().register(z.globalRegistry, { pattern: String.raw`^\d+\.\d\d$` });
}

/** An instant as platform calls answer it: RFC 3339 in the business time zone. */
export function instantText() {
  return z.string().register(z.globalRegistry, { format: "date-time" });
}

/** What is said of a text that is no date: a real one of other years is told of its year. */
function noDate(key: TextKey) {
  return ({ input }: { readonly input?: unknown }) =>
    typeof input === "string" && isOutsideYears(input)
      ? say("year_out_of_range", { min: YEAR_MIN, max: YEAR_MAX })
      : key;
}

/** A date and time of the business time zone, kept as text; the server turns it into an instant. */
export function dateTime(missing: TextKey = "not_a_date_time") {
  return z.string({ error: missing }).check(
    z.minLength(1, missing),
    z.refine((value) => value === "" || isDateTime(value), { error: noDate("not_a_date_time") }),
  );
}

/** A business day. */
export function date(missing: TextKey = "not_a_date") {
  return z.string({ error: missing }).check(
    z.minLength(1, missing),
    z.refine((value) => value === "" || isDate(value), { error: noDate("not_a_date") }),
  );
}

/** An id of ours: a positive integer below 2^53, sent as number or digits. */
export function id() {
  return wholeNumber(1, Number.MAX_SAFE_INTEGER);
}

/** `page` and `size` of a list query, defaults 1 and 20. */
export function paging(sizeMax: number) {
  return {
    page: z._default(wholeNumber(1, PAGE_MAX), 1),
    size: z._default(wholeNumber(1, sizeMax), PAGE_SIZE_DEFAULT),
  };
}

/**
 * A rule over `fields`, told of the last of them. It is not asked where one of them is at fault by
 * itself: what it said then would be no fault of its own.
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
