/** Whole calls made from the served description: right ones, bent ones and broken ones. */
import { encoded, knownMark, nastyTokens, valueOf } from "#test/contract-arbitraries";
import type { JsonSchema, Operation } from "#test/contract-openapi";
import fc from "fast-check";

/** How a caller shows who it is. */
export const WHO = [
  "right",
  "nobody",
  "powerless",
  "other family",
  "malformed",
  "bad signature",
  "old timestamp",
] as const;
export type Who = (typeof WHO)[number];

/** A call before known values, tokens and signatures are put in. */
export interface DraftCall {
  readonly operation: Operation;
  readonly method: string;
  /** Path and query with marks for known values. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text with marks, or bytes as they are. */
  readonly body: string | Uint8Array | null;
  /** Whether it is to be a call that is known to be taken, and what of its body is then changed. */
  readonly known: { readonly changes: readonly Change[] } | null;
  readonly who: Who;
  /** Last part of the caller's address. */
  readonly address: number;
}

const TOKEN_MARK = "\u{10fffe}";
const TOKENS = new RegExp(`"${TOKEN_MARK}([^"]*)${TOKEN_MARK}"`, "gu");

/** A JSON text in which some value is a token that JSON.stringify could not have written. */
function written(value: unknown): string {
  return JSON.stringify(value).replaceAll(TOKENS, (_, token: string) =>
    Buffer.from(token, "base64url").toString("utf8"),
  );
}

function tokenMark(token: string): string {
  return `${TOKEN_MARK}${Buffer.from(token, "utf8").toString("base64url")}${TOKEN_MARK}`;
}

export interface Change {
  readonly kind: "replace" | "drop" | "wrap" | "add" | "again";
  readonly at: number;
  readonly token: string;
}

const NEW_KEYS = ["__proto__", "constructor", "id", "version", "rounds_status", "role", "x", ""];

/** Every place of a value, outermost first, each as the steps that lead there. */
function placesOf(value: unknown, steps: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) {
    return [[...steps]];
  }
  const inside = Object.entries(value).flatMap(([key, one]) => placesOf(one, [...steps, key]));
  return [[...steps], ...inside];
}

function bent(value: unknown, { kind, token }: Change): unknown {
  switch (kind) {
    case "replace":
    case "drop":
      return tokenMark(token);
    case "wrap":
      return [value];
    case "again":
      return Array.isArray(value)
        ? [...(value as unknown[]), ...(value as unknown[])]
        : [value, value];
    case "add":
      return typeof value === "object" && value !== null && !Array.isArray(value)
        ? { ...value, [NEW_KEYS[token.length % NEW_KEYS.length] ?? "x"]: tokenMark(token) }
        : tokenMark(token);
    default:
      return kind satisfies never;
  }
}

/** The value with one place of it changed. */
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

/** A known body as it is sent: as it is, or with some of it changed. */
export function changedBody(body: object, changes: readonly Change[]): string {
  return written(withChanges(body, changes));
}

function withChanges(value: unknown, changes: readonly Change[]): unknown {
  return changes.reduce((now, change) => {
    const places = placesOf(now);
    return changed(now, change, places[change.at % places.length] ?? []);
  }, value);
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom("replace", "replace", "replace", "drop", "wrap", "add", "again"),
  at: fc.nat({ max: 200 }),
  token: nastyTokens,
});

const MULTIPART = "multipart/form-data; boundary=edge";

function multipart(parts: readonly string[]): string {
  return [...parts.map((part) => `--edge\r\n${part}\r\n`), "--edge--\r\n"].join("");
}

/** Bodies that are no JSON of an object. */
const brokenBodies: fc.Arbitrary<string | Uint8Array | null> = fc.oneof(
  fc.constantFrom(
    null,
    "",
    " ",
    "null",
    "[]",
    '"text"',
    "1",
    "{",
    "{}x",
    '{"a":1,}',
    "{'a':1}",
    "\ufeff{}",
  ),
  fc.constantFrom("[".repeat(20_000), `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`),
  fc.uint8Array({ maxLength: 40 }),
  fc.constant(Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xc0, 0x22, 0x7d])),
  fc.constant("x".repeat(1024 * 1024)),
  fc.constantFrom(
    multipart([]),
    multipart([
      'content-disposition: form-data; name="poolFile"; filename="a.csv"\r\n\r\na,b\r\n1,2',
    ]),
    multipart(['content-disposition: form-data; name="token"\r\n\r\nnone']),
    multipart(['content-disposition: form-data; name=""\r\n\r\n', "no header at all"]),
    '--edge\r\ncontent-disposition: form-data; name="poolFile"; filename="a.xlsx"\r\n\r\ncut',
  ),
);

/** Columns of a prize file, and what is in one that has no name to go by. */
const COLUMNS: readonly (readonly [string, JsonSchema])[] = [
  ["award_name", {}],
  ["award_price", {}],
  ["weight", {}],
  ["award_total", {}],
  ["floors", { enum: [0, 1] }],
];
const line = fc
  .tuple(...COLUMNS.map(([name, schema]) => valueOf(schema, name, "right").map(String)))
  .map((cells) => cells.join(","));

/** Prize files as forms of an upload. */
const uploads = fc
  .tuple(fc.array(line, { maxLength: 5 }), fc.nat({ max: 9999 }))
  .map(([lines, pick]) => {
    const file = [COLUMNS.map(([name]) => name).join(","), ...lines].join("\n");
    return multipart([
      `content-disposition: form-data; name="pool_name"\r\n\r\n${knownMark("pool_name", pick)}`,
      `content-disposition: form-data; name="poolFile"; filename="a.csv"\r\n\r\n${file}`,
    ]);
  });

type Body = string | Uint8Array | null;

function bodyOf(one: Operation): fc.Arbitrary<Body> {
  const contents = one.requestBody?.content ?? {};
  const described = contents["application/json"]?.schema;
  if (described === undefined) {
    const usual = "multipart/form-data" in contents ? uploads : fc.constant(null);
    return fc.oneof(
      { weight: 6, arbitrary: usual as fc.Arbitrary<Body> },
      { weight: 1, arbitrary: brokenBodies },
    );
  }
  const right = valueOf(described, "", "right");
  const value = fc.oneof(right, right, valueOf(described, "", "mostly"));
  const bentValue = fc
    .tuple(value, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([good, changes]) => withChanges(good, changes));
  const cut = fc.tuple(value, fc.nat({ max: 300 }));
  return fc.oneof(
    { weight: 50, arbitrary: value.map(written) },
    { weight: 40, arbitrary: bentValue.map(written) },
    { weight: 4, arbitrary: cut.map(([good, at]) => written(good).slice(0, at)) },
    { weight: 4, arbitrary: brokenBodies },
  );
}

const oddTexts = nastyTokens.map((token) => token.replaceAll(/^"|"$/g, ""));

/** What must be sent, and at most three fields of what may be, each of them right. */
function rightQueryOf(declared: Operation["parameters"], requiredKeys: readonly string[]) {
  const right = ({ name, schema }: (typeof declared)[number]) =>
    [name, valueOf(schema, name, "right").map(String)] as const;
  const optional = declared.filter(({ name }) => !requiredKeys.includes(name));
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((some) =>
      fc.record(
        Object.fromEntries(
          [...declared.filter((item) => !optional.includes(item)), ...some].map(right),
        ),
      ),
    );
}

function queryOf(one: Operation): fc.Arbitrary<string> {
  const declared = one.parameters.filter((parameter) => parameter.in === "query");
  const members = Object.fromEntries(
    declared.map(({ name, schema }) => [name, valueOf(schema, name, "mostly").map(String)]),
  );
  const requiredKeys = declared.filter((one_) => one_.required).map(({ name }) => name);
  const pairsOf = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([name, value]) => `${name}=${encoded(String(value))}`);
  const good = fc.record(members, { requiredKeys }).map(pairsOf);
  const right = rightQueryOf(declared, requiredKeys).map(pairsOf);
  const names = fc.constantFrom(
    "page",
    "size",
    "token",
    "__proto__",
    "x[]",
    ...Object.keys(members),
  );
  const odd = fc.array(
    fc.tuple(names, oddTexts).map(([name, value]) => `${name}=${encoded(value)}`),
    { maxLength: 3 },
  );
  const raw = fc.constantFrom(
    "%",
    "%zz=%",
    "a=%ff%fe",
    "&&&",
    "=",
    "page=1&page=2",
    "page[]=1",
    "?",
  );
  return fc
    .oneof(
      { weight: 12, arbitrary: right },
      { weight: 6, arbitrary: good },
      { weight: 6, arbitrary: fc.tuple(good, odd).map(([left, right]) => [...left, ...right]) },
      { weight: 1, arbitrary: fc.tuple(good, raw).map(([left, right]) => [...left, right]) },
    )
    .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.join("&")}`));
}

const oddSegments = fc.oneof(
  fc.constantFrom(
    "0",
    "-1",
    "1.5",
    "1e3",
    "%00",
    "%ff",
    "%2f",
    "%2e%2e",
    "..",
    ".",
    "%",
    "x".repeat(250),
  ),
  oddTexts.map(encoded),
);

/** An id alone does not tell of what it is; the noun of the operation does. */
function knownAs(one: Operation, name: string): string {
  return name === "id" ? `${one.operationId.split(".", 1)[0]}_id` : name;
}

function pathOf(one: Operation): fc.Arbitrary<string> {
  const names = [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
  const segment = (name: string) =>
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.nat({ max: 9999 }).map((pick) => knownMark(knownAs(one, name), pick)),
      },
      { weight: 2, arbitrary: oddSegments },
    );
  const filled = fc.tuple(...names.map(segment)).map((values) => {
    let at = -1;
    return one.path.replaceAll(/\{\w+\}/g, () => {
      at += 1;
      return values[at] ?? "";
    });
  });
  return fc.oneof(
    { weight: 40, arbitrary: filled },
    {
      weight: 1,
      arbitrary: fc
        .tuple(filled, fc.constantFrom("/", "//", "/%2e%2e/", ";x=1", "%20", "/edit", "\\"))
        .map(([path, end]) => `${path}${end}`),
    },
  );
}

function headersOf(one: Operation): fc.Arbitrary<Record<string, string>> {
  const isUpload = "multipart/form-data" in (one.requestBody?.content ?? {});
  return fc
    .tuple(
      fc.oneof(
        { weight: 20, arbitrary: fc.constant(isUpload ? MULTIPART : "application/json") },
        {
          weight: 3,
          arbitrary: fc.constantFrom(
            "",
            MULTIPART,
            "multipart/form-data",
            "text/plain",
            "application/xml",
            "x",
            "application/x-www-form-urlencoded",
            "application/json; charset=utf-16",
          ),
        },
      ),
      fc.constantFrom("", "", "", "en", "en-GB,en;q=0.9", "zh-CN", "*", "x".repeat(2000)),
      fc.constantFrom("", "", "", "", "gzip", "identity"),
      fc.constantFrom("", "", "", "", "DELETE", "PUT"),
    )
    .map(([type, language, encoding, override]) => ({
      ...(type === "" ? {} : { "content-type": type }),
      ...(language === "" ? {} : { "accept-language": language }),
      ...(encoding === "" ? {} : { "content-encoding": encoding }),
      ...(override === "" ? {} : { "x-http-method-override": override }),
    }));
}

/** Calls of one operation. Most are by the right caller with the documented method. */
export function callsOf(one: Operation): fc.Arbitrary<DraftCall> {
  return fc
    .record({
      path: pathOf(one),
      query: queryOf(one),
      headers: headersOf(one),
      body: bodyOf(one),
      who: fc.oneof(
        { weight: 10, arbitrary: fc.constant<Who>("right") },
        { weight: 2, arbitrary: fc.constantFrom(...WHO) },
      ),
      method: fc.oneof(
        { weight: 40, arbitrary: fc.constant(one.method) },
        {
          weight: 1,
          arbitrary: fc.constantFrom("GET", "HEAD", "OPTIONS", "PATCH", "POST", "DELETE"),
        },
      ),
      address: fc.nat({ max: 250 }),
      known: fc.oneof(
        { weight: 2, arbitrary: fc.constant({ changes: [] }) },
        {
          weight: 1,
          arbitrary: fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 2 }) }),
        },
        { weight: 2, arbitrary: fc.constant(null) },
      ),
    })
    .map(({ path, query, ...rest }) => ({ ...rest, operation: one, url: `${path}${query}` }));
}
