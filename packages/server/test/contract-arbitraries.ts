/**
 * Values made from the JSON Schemas of the served description. Where a schema says less than the rule (a
 * date is a string to it), the field's name leads to a value that may be right, and names and ids that the
 * test database knows are taken from a dictionary when the call is sent.
 */
import {
  AROUND_TEXTS,
  BLANK_TEXTS,
  INVISIBLE_TEXTS,
  NO_DATE_TIMES,
  NO_INSTANTS,
  ODD_NUMBERS,
  ODD_NUMBER_TEXTS,
  TROUBLE_TEXTS,
  UNPRINTABLE_TEXTS,
} from "#test/contract-corpus";
import type { JsonSchema } from "#test/contract-openapi";
import fc from "fast-check";

const MARK = "\u{10fffd}";

/** Known values are carried as marked texts: those survive whatever is done to the call on the way. */
export function knownMark(name: string, pick: number): string {
  return `${MARK}${name}${MARK}${pick}${MARK}`;
}

/** Names that the database knows values by. */
export type Dictionary = ReadonlyMap<string, readonly (string | number)[]>;

function knownValue(dictionary: Dictionary, name = "", pick = "0"): string | number {
  const values = dictionary.get(name) ?? [];
  return values[Number(pick) % values.length] ?? "nothing";
}

const IN_JSON = new RegExp(`"${MARK}(\\w+)${MARK}(\\d+)${MARK}"`, "gu");
const PLAIN = new RegExp(`${MARK}(\\w+)${MARK}(\\d+)${MARK}`, "gu");

/** Puts known values into a JSON text: a marked text becomes a JSON value. */
export function bodyWithKnown(json: string, dictionary: Dictionary): string {
  return json
    .replaceAll(IN_JSON, (_, name: string, pick: string) =>
      JSON.stringify(knownValue(dictionary, name, pick)),
    )
    .replaceAll(PLAIN, (_, name: string, pick: string) => `${knownValue(dictionary, name, pick)}`);
}

/** Percent-encodes all but marks. */
export function encoded(text: string): string {
  return !/\p{Cs}/u.test(text)
    ? encodeURIComponent(text).replaceAll(encodeURIComponent(MARK), MARK)
    : "%ED%A0%80";
}

/** Puts known values into path and query; a mark that was cut to pieces goes as the text that it is. */
export function urlWithKnown(url: string, dictionary: Dictionary): string {
  return url
    .replaceAll(PLAIN, (_, name: string, pick: string) =>
      encodeURIComponent(knownValue(dictionary, name, pick)),
    )
    .replaceAll(/[^\x21-\x7e]+/gu, (rest) =>
      encodeURIComponent(rest.replaceAll(/\p{Cs}/gu, "\ufffd")),
    );
}

function known(name: string): fc.Arbitrary<string> {
  return fc.nat({ max: 9999 }).map((pick) => knownMark(name, pick));
}

const DAY = 86_400_000;
const pad = (value: number) => String(value).padStart(2, "0");

/** Clock readings some hours from now, most of them whole minutes. */
function dateTimes(min: number, max: number): fc.Arbitrary<string> {
  return fc.tuple(fc.integer({ min, max }), fc.constantFrom(0, 59)).map(([hours, second]) => {
    const at = new Date(Date.now() + hours * 3_600_000).toISOString();
    return `${at.slice(0, 10)} ${at.slice(11, 13)}:${pad(second)}:${pad(second)}`;
  });
}
const dates = fc
  .integer({ min: -3, max: 3 })
  .map((days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10));
const instants = fc
  .integer({ min: -40 * DAY, max: DAY })
  .map((ms) => new Date(Date.now() + ms).toISOString());
const amounts = fc
  .tuple(fc.integer({ min: 1, max: 500 }), fc.constantFrom("", ".5", ".05", ".99"))
  .map(([whole, cents]) => `${whole}${cents}`);

/** What a field of this name holds when it is right, as far as its name tells. */
const BY_NAME: readonly (readonly [RegExp, (name: string) => fc.Arbitrary<unknown>])[] = [
  [/start_time$/, () => dateTimes(-72, 0)],
  [/_time$/, () => dateTimes(10, 72)],
  [/_date$/, () => dates],
  [/^created_at$/, () => instants],
  [/price$|amount$|_value$/, () => fc.oneof(amounts, fc.constant("8.88"))],
  [/^(?:page|size|weight|add|award_total)$/, () => fc.integer({ min: 1, max: 30 })],
  [/^(?:turnover|condition_times)$/, () => fc.integer({ min: 1, max: 5 })],
  [/^condition_name$/, () => fc.constantFrom("1", 2)],
  [/^condition_formula$/, () => fc.constantFrom("1", 3)],
  [/^condition_type$/, () => fc.constantFrom("1", 2)],
  [/^(?:log_ids?|log|rounds_id|act_id|id|\w+ id)$/, known],
  [/name$|names$|_id$|_no$|_sn$|^tag$|^red_code$|^password$|^token$/, known],
];

function byName(name: string): fc.Arbitrary<unknown> | null {
  const found = BY_NAME.find(([pattern]) => pattern.test(name));
  return found === undefined ? null : found[1](name);
}

const texts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(...Object.values(TROUBLE_TEXTS)),
);

function textOf(of: JsonSchema): fc.Arbitrary<string> {
  const { pattern, minLength, maxLength } = of;
  if (typeof pattern === "string") {
    return fc.stringMatching(new RegExp(pattern));
  }
  const min = typeof minLength === "number" ? minLength : 0;
  const max = typeof maxLength === "number" ? maxLength : 200;
  return fc.oneof(
    { weight: 8, arbitrary: texts.filter((text) => text.length >= min && text.length <= max) },
    { weight: 1, arbitrary: fc.constantFrom("x".repeat(max), "x".repeat(min)) },
  );
}

/** How far values are to be right: as far as names tell, or only as far as the schema says. */
export type Care = "right" | "mostly";

function record(value: unknown): Readonly<Record<string, JsonSchema>> {
  // Only ever asked of `properties`, which JSON Schema defines as schemas by name.
  return (value ?? {}) as Record<string, JsonSchema>;
}

/** Fields that a careful caller leaves out unless they are wanted: they must repeat another value. */
const REPEATED = /^(?:id|act_id|version|log|token|plan|expire_times)$/;

function objectOf(of: JsonSchema, care: Care): fc.Arbitrary<unknown> {
  const required = Array.isArray(of["required"]) ? (of["required"] as string[]) : [];
  const properties = Object.entries(record(of["properties"])).filter(
    ([name]) => care === "mostly" || required.includes(name) || !REPEATED.test(name),
  );
  if (properties.length === 0 && typeof of["additionalProperties"] === "object") {
    const values = valueOf(of["additionalProperties"] as JsonSchema, "", care);
    return fc.dictionary(fc.constantFrom("pool_name", "rounds_id", "format", "x"), values);
  }
  const members = Object.fromEntries(
    properties.map(([name, schema]) => [name, valueOf(schema, name, care)]),
  );
  return fc.record(members, { requiredKeys: required });
}

function ofType(type: unknown, of: JsonSchema, name: string, care: Care): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return textOf(of);
    case "integer":
    case "number": {
      const min = typeof of["minimum"] === "number" ? of["minimum"] : -10;
      const max = typeof of["maximum"] === "number" ? of["maximum"] : 1_000_000;
      return fc.integer({ min: Math.max(min, -(2 ** 53 - 1)), max: Math.min(max, 2 ** 53 - 1) });
    }
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valueOf((of["items"] ?? {}) as JsonSchema, name, care), {
        minLength: care === "right" ? 1 : 0,
        maxLength: 4,
      });
    case "object":
      return objectOf(of, care);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Values that the schema allows. */
function bySchema(of: JsonSchema, name: string, care: Care): fc.Arbitrary<unknown> {
  if ("const" in of) {
    return fc.constant(of["const"]);
  }
  if (Array.isArray(of["enum"])) {
    return fc.constantFrom(...(of["enum"] as unknown[]));
  }
  if (Array.isArray(of["anyOf"])) {
    const choices = of["anyOf"] as JsonSchema[];
    const structured = choices.filter((choice) => !isPlain(choice));
    const wanted = care === "right" && structured.length > 0 ? structured : choices;
    return fc.oneof(...wanted.map((choice) => bySchema(choice, name, care)));
  }
  const { type } = of;
  return Array.isArray(type)
    ? fc.oneof(...type.map((one: unknown) => ofType(one, of, name, care)))
    : ofType(type, of, name, care);
}

/** Is it no list and no object, nor a choice with one of them? */
function isPlain(of: JsonSchema): boolean {
  const choices = Array.isArray(of["anyOf"]) ? (of["anyOf"] as JsonSchema[]) : [];
  return of["type"] !== "object" && of["type"] !== "array" && choices.every(isPlain);
}

/** Values for a field: such as its name suggests, or, now and then, whatever its schema allows. */
export function valueOf(of: JsonSchema, name: string, care: Care): fc.Arbitrary<unknown> {
  const suggested = isPlain(of) ? byName(name) : null;
  if (suggested === null) {
    return bySchema(of, name, care);
  }
  const other = { weight: care === "right" ? 0 : 2, arbitrary: bySchema(of, name, care) };
  return fc.oneof({ weight: 8, arbitrary: suggested }, other);
}

const NASTY_TEXTS = [
  ...Object.values(AROUND_TEXTS),
  ...Object.values(INVISIBLE_TEXTS),
  ...Object.values(TROUBLE_TEXTS),
  ...Object.values(UNPRINTABLE_TEXTS),
  ...Object.values(BLANK_TEXTS),
  ...NO_DATE_TIMES,
  ...NO_INSTANTS,
  "x".repeat(65),
  "x".repeat(5000),
];

/** JSON tokens that hardly anything is right with. */
export const nastyTokens: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD_NUMBERS.map(({ json }) => json)),
  fc.constantFrom(...ODD_NUMBER_TEXTS.map(({ json }) => json)),
  fc.constantFrom(...NASTY_TEXTS).map((text) => JSON.stringify(text)),
  fc.constantFrom("null", "true", "[]", "{}", "[[[]]]", '{"__proto__":{"a":1}}', "[null]", '""'),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => JSON.stringify(text)),
  fc.double().map((value) => (Number.isFinite(value) ? String(value) : "null")),
  fc.bigInt().map(String),
);
