/** The served OpenAPI description, and a check of answers by it alone. */
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import * as z from "zod/mini";

export type JsonSchema = Readonly<Record<string, unknown>>;

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.object({ schema: z.optional(schema) }));

const header = z.object({ schema });
type Header = z.output<typeof header>;

const operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(
    z.object({ name: z.string(), in: z.enum(["path", "query"]), required: z.boolean(), schema }),
  ),
  requestBody: z.optional(z.object({ content })),
  responses: z.record(
    z.string(),
    z.object({ headers: z.optional(z.record(z.string(), header)), content: z.optional(content) }),
  ),
});

const description = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

export interface Operation extends z.output<typeof operation> {
  readonly method: string;
  readonly path: string;
}

/** Throws if the description is not OpenAPI. */
export function operationsOf(served: unknown): Operation[] {
  const { paths } = z.parse(description, served);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({
      ...one,
      path,
      method: method.toUpperCase(),
    })),
  );
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

/** Finds the operation of a request line; paths without placeholders come first. */
export function operationFinder(
  operations: readonly Operation[],
): (method: string, url: string) => Operation | null {
  const known = operations
    .map((one) => ({ one, pattern: pattern(one.path) }))
    .toSorted((a, b) => Number(a.one.path.includes("{")) - Number(b.one.path.includes("{")));
  return (method, url) => {
    const [path = ""] = url.split("?", 1);
    const found = known.find((item) => item.one.method === method && item.pattern.test(path));
    return found?.one ?? null;
  };
}

export function isPlatform(one: Operation): boolean {
  return one.security.some((needed) => "signature" in needed);
}

/** The schema of answers on undocumented paths. */
const ELSEWHERE: Readonly<Record<string, JsonSchema>> = {
  "application/json": {
    type: "object",
    properties: {
      code: { type: "integer" },
      msg: { type: "string", minLength: 1 },
      data: {},
      key: { type: "string", pattern: "^[a-z_]+$" },
    },
    required: ["code", "msg", "data"],
    additionalProperties: false,
  },
  "application/problem+json": {
    type: "object",
    properties: {
      type: { const: "about:blank" },
      title: { type: "string", minLength: 1 },
      status: { type: "integer" },
      code: { type: "string", pattern: "^[a-z_]+$" },
      detail: { type: "string", minLength: 1 },
    },
    required: ["type", "title", "status", "code", "detail"],
  },
};

export interface JudgedAnswer {
  readonly method: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** The media type without parameters. */
export function mediaTypeOf({ headers }: JudgedAnswer): string {
  const [type = ""] = String(headers["content-type"] ?? "").split(";", 1);
  return type.trim().toLowerCase();
}

/** What is wrong with an answer; null if nothing. Without `operation` the path is undocumented. */
export type Judge = (operation: Operation | null, answer: JudgedAnswer) => string | null;

function documented(one: Operation | null, answer: JudgedAnswer) {
  const type = mediaTypeOf(answer);
  if (one === null) {
    return { type, schema: ELSEWHERE[type], headers: {} };
  }
  const response = one.responses[String(answer.status)] ?? one.responses["default"];
  const described = response?.content?.[type];
  return {
    type,
    schema: described === undefined ? undefined : (described.schema ?? {}),
    // A refusal of a download is JSON without the headers of a file.
    headers: type === "application/json" ? {} : (response?.headers ?? {}),
  };
}

/** First bytes of files. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "PK",
  "application/jsonl": "{",
  "text/csv": "\ufeff",
};

/** Only the prizes of a round may be cached, for seconds. */
const CAREFUL = ["cache-control", "x-content-type-options", "content-security-policy"];

/** Words that reveal internals: stacks, statements, files. */
const INSIDE =
  /node_modules|\bat \S+ \(|violates \w+ constraint|syntax error at|\.ts:\d+|pg_catalog/;

function faultOfFile(type: string, bytes: Buffer): string | null {
  const begin = BEGINNINGS[type];
  return begin === undefined || !bytes.toString("utf8").startsWith(begin)
    ? `a file of type "${type}" begins with ${bytes.subarray(0, 12).toString("hex")}`
    : null;
}

/** Compiles each schema once. */
export function answerJudge(): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const faultOf = (of: JsonSchema, value: unknown): string | null => {
    const validate = compiled.get(of) ?? ajv.compile(of);
    compiled.set(of, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors);
  };
  const faultOfHeaders = (wanted: Readonly<Record<string, Header>>, answer: JudgedAnswer) =>
    Object.entries(wanted)
      .map(([name, { schema: of }]) => faultOf(of, answer.headers[name.toLowerCase()]))
      .find((fault) => fault !== null) ?? null;
  return (one, answer) => {
    const body = answer.bytes.toString("utf8");
    if (answer.status >= 500) {
      return `status ${answer.status}: ${body.slice(0, 300)}`;
    }
    const browsers = CAREFUL.map((name) => answer.headers[name]).join();
    if (!/^(?:no-store|private, max-age=5),nosniff,.*frame-ancestors 'none'/.test(browsers)) {
      return `it may be kept, guessed at or framed: ${browsers}`;
    }
    if (answer.method === "HEAD") {
      return body === "" ? null : "an answer to HEAD has a body";
    }
    const { type, schema: wanted, headers } = documented(one, answer);
    if (wanted === undefined) {
      return `status ${answer.status} with content type "${type}" is not documented`;
    }
    const headerFault = faultOfHeaders(headers, answer);
    if (headerFault !== null) {
      return `header off the schema: ${headerFault}`;
    }
    if (!type.endsWith("json")) {
      return faultOfFile(type, answer.bytes);
    }
    const fault = faultOf(wanted, JSON.parse(body));
    if (fault !== null) {
      return `off the schema: ${fault}: ${body.slice(0, 300)}`;
    }
    const leak = INSIDE.exec(body);
    return leak === null ? null : `it tells of the inside: ${leak[0]}`;
  };
}
