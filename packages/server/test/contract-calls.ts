/** Generates calls from the served description: valid, altered and broken ones. */
import type { JsonSchema, Operation } from "#test/contract-openapi";
import fc from "fast-check";

export const WHO = ["right", "nobody", "other family", "malformed", "bad signature"] as const;

interface Change {
  readonly kind: "replace" | "drop" | "wrap" | "again" | "add";
  readonly at: number;
  readonly value: unknown;
}

export interface DraftCall {
  readonly operation: Operation;
  readonly who: (typeof WHO)[number];
  readonly method: string;
  readonly changes: readonly Change[];
  /** Replaces the body; null keeps it. */
  readonly broken: string | Uint8Array | null;
  /** Replaces a part of the path, percent-encoded; null keeps it. */
  readonly segment: string | null;
  readonly end: string;
  readonly query: Readonly<Record<string, string>>;
  /** Fields of a read without a known valid body. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Last part of the caller's address. */
  readonly address: number;
}

/** Values that are nearly always invalid and have broken other systems. */
const NASTY: readonly unknown[] = [
  [null, true, [], {}, [[[]]], [null], "", " ", 0, -0, -1, 1.5, 1e308, 5e-324, 2 ** 31, 2 ** 53],
  ["-1", "007", "1e3", "0x10", "１２", "NaN", "9".repeat(309), `0.${"0".repeat(400)}1`],
  [
    "<script>alert(1)</script>",
    "'; drop table prize; --",
    "{a,b}",
    "{NULL}",
    '{"a":"b\\"}',
    "%_\\",
  ],
  ["__proto__", "constructor", "{field} {first}", "too_long|max=1", "=1+1", "../../etc/passwd"],
  [
    "\u0000",
    "a\u0007b",
    "a\ud800b",
    "a\udc00\ud800b",
    "\u202ea",
    "\u200b",
    "\ufeff",
    "a\uffffb",
    "🧧",
  ],
  ["9999-12-31 23:59:59", "2026-02-29 00:00:00", "infinity", "now", "2024-05-10T24:00:00Z"],
  ["x".repeat(65), "x".repeat(5000), JSON.parse('{"__proto__":{"a":1}}')],
].flat();
const nasty = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const nastyText = nasty.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));

/** Percent-encodes any text, even half a surrogate pair. */
function encoded(text: string): string {
  return /\p{Cs}/u.test(text) ? "%ED%A0%80" : encodeURIComponent(text);
}

/** The path to each place in a value, outermost first. */
function placesOf(value: unknown, steps: readonly string[] = []): string[][] {
  const inside = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [[...steps], ...inside.flatMap(([key, one]) => placesOf(one, [...steps, key]))];
}

function bent(value: unknown, { kind, value: other }: Change): unknown {
  switch (kind) {
    case "replace":
    case "drop":
      return other;
    case "wrap":
      return [value];
    case "again":
      return [value, value].flat();
    case "add":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? { ...value, version: other }
        : other;
    default:
      return kind satisfies never;
  }
}

function changed(value: unknown, change: Change, steps: readonly string[]): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) {
    return bent(value, change);
  }
  const isDrop = change.kind === "drop" && rest.length === 0;
  const entries = Object.entries(value ?? {})
    .filter(([key]) => !(isDrop && key === step))
    .map(([key, one]): [string, unknown] => [key, key === step ? changed(one, change, rest) : one]);
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
}

export function withChanges(body: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((now, change) => {
    const places = placesOf(now);
    return changed(now, change, places[change.at % places.length] ?? []);
  }, body);
}

/** Existing values, by field name. */
export type Known = Readonly<Record<string, string | number>>;

/** A valid value, as far as name and schema show. */
function rightOf(name: string, schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const choices = [
    schema,
    ...(Array.isArray(schema["anyOf"]) ? (schema["anyOf"] as JsonSchema[]) : []),
  ];
  const codes = choices.flatMap((one) =>
    Array.isArray(one["enum"]) ? (one["enum"] as unknown[]) : [],
  );
  if (codes.length > 0) {
    return fc.constantFrom(...codes);
  }
  if (/_(?:time|date)$/.test(name)) {
    const day = fc.constantFrom("2024-05-10", "2026-11-20");
    return name.endsWith("date") ? day : day.map((one) => `${one} 00:00:00`);
  }
  const row = fieldsIn((schema["items"] ?? {}) as JsonSchema);
  if (row.length > 0) {
    return fieldsOf(row, known, nasty).map((one) => [one]);
  }
  const value = fc.constant(known[name] ?? (/^(?:page|size)$/.test(name) ? 1 : "1"));
  return schema["type"] === "array" ? value.map((one) => [one]) : value;
}

interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** Required fields and some optional ones; one value in ten is nasty. */
function fieldsOf(fields: readonly Field[], known: Known, odd: fc.Arbitrary<unknown>) {
  const members = fields.map(({ name, schema }) => [
    name,
    fc.oneof(
      { weight: 12, arbitrary: rightOf(name, schema, known) },
      { weight: 1, arbitrary: odd },
    ),
  ]);
  const optional = fields.filter(({ required }) => !required);
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((left) =>
      fc
        .record(Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>)
        .map((all) =>
          Object.fromEntries(
            fields
              .filter((field) => field.required || left.includes(field))
              .map(({ name }) => [name, all[name]]),
          ),
        ),
    );
}

function fieldsIn(schema: JsonSchema): Field[] {
  const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
  // `properties` of a JSON Schema are schemas by name.
  const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
  return Object.entries(properties).map(([name, one]) => ({
    name,
    schema: one,
    required: required.includes(name),
  }));
}

const MULTIPART = "multipart/form-data; boundary=edge";
const BROKEN = [
  ["", " ", "null", "[]", '"text"', "{", "{}x", '{"a":1,}', "\ufeff{}", "x".repeat(1024 * 1024)],
  ["[".repeat(20_000), `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`, '{"a":1e400,"a":2}'],
  [
    "--edge--\r\n",
    '--edge\r\ncontent-disposition: form-data; name="poolFile"; filename="a.xlsx"\r\n\r\ncut',
    '--edge\r\ncontent-disposition: form-data; name="poolFile"; filename="a.csv"\r\n\r\na,b\r\n--edge--\r\n',
  ],
].flat();

/** One value in `weight` is `other`. */
function seldom<T, U>(usual: T, weight: number, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });
}

function headersOf(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const isUpload = "multipart/form-data" in (operation.requestBody?.content ?? {});
  const odd = fc.constantFrom("", MULTIPART, "text/plain", "x", "application/json; charset=utf-16");
  return fc
    .record({
      "content-type": seldom(isUpload ? "" : "application/json", 8, odd),
      "accept-language": fc.constantFrom("", "en", "zh-CN", "*", "x".repeat(2000)),
      "content-encoding": seldom("", 9, fc.constantFrom("gzip", "identity")),
      "x-http-method-override": seldom("", 9, fc.constantFrom("DELETE", "PUT")),
    })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "")));
}

export function callsOf(operation: Operation, known: Known): fc.Arbitrary<DraftCall> {
  const change = fc.record({
    kind: fc.constantFrom<Change["kind"]>("replace", "replace", "drop", "wrap", "again", "add"),
    at: fc.nat({ max: 200 }),
    value: nasty,
  });
  const query = operation.parameters.filter((parameter) => parameter.in === "query");
  return fc.record({
    operation: fc.constant(operation),
    who: seldom("right" as const, 8, fc.constantFrom(...WHO)),
    method: seldom(
      operation.method,
      40,
      fc.constantFrom("GET", "HEAD", "OPTIONS", "PATCH", "POST"),
    ),
    changes: seldom([], 1, fc.array(change, { minLength: 1, maxLength: 3 })),
    broken: seldom(
      null,
      12,
      fc.oneof(fc.constantFrom(...BROKEN), fc.uint8Array({ maxLength: 40 })),
    ),
    segment: seldom(
      null,
      6,
      fc.oneof(fc.constantFrom("0", "%00", "%ff", "%2e%2e", "%"), nastyText.map(encoded)),
    ),
    end: seldom(
      "",
      40,
      fc.constantFrom("/", "//", "/%2e%2e/", ";x=1", "%20", "/edit", "\\", "?%zz=%"),
    ),
    query: fieldsOf(query, known, nastyText).map((fields) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
    ),
    asked: fieldsOf(
      fieldsIn(operation.requestBody?.content["application/json"]?.schema ?? {}),
      known,
      nasty,
    ),
    headers: headersOf(operation),
    address: fc.nat({ max: 250 }),
  });
}

/** `parts` fill the placeholders of the path. */
export function urlOf({ operation, segment, end, query }: DraftCall, parts: Known): string {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => segment ?? encoded(String(parts[name] ?? 1)),
  );
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
  return `${path}${end}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}
