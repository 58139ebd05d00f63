import { proofRoutes } from "@red/contract/evidence/proof";
import { drawRequest, drawRoutes, problem } from "@red/contract/draws/draw";
import { SUCCESS } from "@red/contract/platform/envelope";
import { ERRORS } from "@red/contract/platform/errors";
import { betRow, depositRow, playerRow, reversalRow, voidRow } from "@red/contract/events/ingest";
import { UPLOAD_BYTES_MAX } from "@red/contract/platform/limits";
import { prizeImportForm } from "@red/contract/pools/prize";
import { EVENT_STREAM } from "./event-stream.ts";
import type { Route } from "@red/contract/platform/route";
import { ROUTES } from "@red/contract/routes";
import {
  LOGIN_CODES,
  sessionRoutes,
  TOKEN_COOKIE,
  TOKEN_HEADER,
} from "@red/contract/identity/session";
import { SIGNING_HEADERS } from "@red/contract/identity/signing";
import { WEBHOOK_BODIES } from "@red/contract/webhooks/webhook";
import { FILE_FIELD } from "#platform/files";
import * as z from "zod/mini";

type Json = Record<string, unknown>;

/** Removes the limits that every safe integer has, because they only fill the examples. */
function withoutSafeBounds({ jsonSchema: of }: { readonly jsonSchema: Json }): void {
  if (of["minimum"] === Number.MIN_SAFE_INTEGER) {
    delete of["minimum"];
  }
  if (of["maximum"] === Number.MAX_SAFE_INTEGER) {
    delete of["maximum"];
  }
}

function jsonSchema(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: withoutSafeBounds,
  });
  return rest;
}

function parametersIn(schema: z.ZodMiniType | undefined, where: "path" | "query"): Json[] {
  if (schema === undefined) {
    return [];
  }
  const shape = jsonSchema(schema, "input");
  const required = Array.isArray(shape["required"]) ? shape["required"] : [];
  return Object.entries(shape["properties"] ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: property as unknown,
  }));
}

/**
 * Returns the schema of an envelope with this code; `more` are optional fields. Login has its message in two fields
 * (spec §7).
 */
function envelopeOf(route: Route, code: Json, data: Json, more: Json = {}): Json {
  const msg = { type: "string", minLength: 1 };
  const properties = {
    code: { type: "integer", ...code },
    msg,
    ...(route === sessionRoutes.login ? { message: msg } : {}),
    data,
  };
  return {
    type: "object",
    properties: { ...properties, ...more },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const ERROR_KEY: Json = {
  description: "Names the error whatever the language; asking for a one-time code has none",
  enum: Object.keys(ERRORS),
};

/** Schema of `data` in an error response: null, or details such as the input errors. */
const REFUSED_DATA: Json = {
  type: ["object", "null"],
  properties: {
    errors: {
      description: "Every fault, by field of the input or by row and column of the file",
      type: "array",
      items: {
        type: "object",
        properties: {
          field: { type: "string" },
          row: { type: "integer" },
          column: { type: "string" },
          value: { type: "string" },
          msg: { type: "string", minLength: 1 },
        },
        required: ["msg"],
        additionalProperties: false,
      },
    },
  },
};

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
const FORM_TYPE = "multipart/form-data";
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const XLS_TYPE = "application/vnd.ms-excel";
const CSV_TYPE = "text/csv";
const JSONL_TYPE = "application/jsonl";
/** Schema of bytes. OpenAPI 3.1 has no type for bytes, only their media type. */
const FILE: Json = { contentMediaType: "application/octet-stream" };
const CSV_FILE: Json = { type: "string", contentMediaType: CSV_TYPE };

function content(schemas: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));
}

const OVERLOADED: Json = {
  description: "Too many at once: nothing was done, send the same again when the time is over",
  headers: { "Retry-After": { description: "Seconds", schema: { type: "integer" } } },
};

function platformAnswers(route: Route): Json {
  const good = (description: string) => ({
    description,
    content: content({ [JSON_TYPE]: jsonSchema(route.data, "output") }),
  });
  const refused = {
    description: "Refused; `code` names the reason",
    content: content({ [PROBLEM_TYPE]: jsonSchema(problem, "output") }),
  };
  const isFeeding = route.auth.by === "key" && route.auth.scope === "ingest";
  const overloaded = isFeeding ? { 429: { ...refused, ...OVERLOADED } } : {};
  return route === drawRoutes.draw
    ? { 200: good("Drawn before: the same answer"), 201: good("Drawn"), default: refused }
    : { 200: good("Done"), ...overloaded, default: refused };
}

/** Header of a download. An error response does not have it. */
const DISPOSITION: Json = {
  description: "attachment, with the file's name",
  schema: { type: "string", pattern: "^attachment; filename=" },
};

/** Returns JSON lines for the evidence of a round, otherwise a table as xlsx or csv. */
function filesOf(route: Route): Readonly<Record<string, Json>> {
  return route === proofRoutes.round
    ? { [JSONL_TYPE]: FILE }
    : { [XLSX_TYPE]: FILE, [CSV_TYPE]: CSV_FILE };
}

/** Describes server-sent events whose data has `contentSchema`. The last event, `end`, contains an error. */
function streamOf({ access, data }: Route): Readonly<Record<string, Json>> {
  const contentSchema = jsonSchema(data, "output");
  return access === "stream" ? { [EVENT_STREAM]: { type: "string", contentSchema } } : {};
}

/** Only `code` shows whether `data` is the result or the details of an error. */
function operatorAnswers(route: Route): Json {
  const codes = route === sessionRoutes.login ? Object.values(LOGIN_CODES) : [SUCCESS];
  const refused = envelopeOf(route, { not: { enum: codes } }, REFUSED_DATA, {
    key: ERROR_KEY,
  });
  const done = envelopeOf(route, { enum: codes }, jsonSchema(route.data, "output"));
  const good =
    route.access === "download"
      ? {
          description: "The file, in the format asked for; or JSON with the `code` of a refusal",
          headers: { "Content-Disposition": DISPOSITION },
          content: content({ ...filesOf(route), [JSON_TYPE]: refused }),
        }
      : {
          description: "Done, or a refusal; `code` says which",
          content: content({ ...streamOf(route), [JSON_TYPE]: { anyOf: [done, refused] } }),
        };
  return {
    200: good,
    default: {
      description: "Nothing was carried out",
      content: content({ [JSON_TYPE]: refused }),
    },
  };
}

function answersOf(route: Route): Json {
  return route.auth.by === "key" ? platformAnswers(route) : operatorAnswers(route);
}

function securityOf(route: Route): Json[] {
  switch (route.auth.by) {
    case "nobody":
      return [];
    case "operator":
      return [{ accessToken: [] }, { cookie: [], accessToken: [] }];
    case "key":
      return [{ key: [], timestamp: [], nonce: [], signature: [] }];
    default:
      return route.auth satisfies never;
  }
}

/** Schemas of rows that the server parses one by one. The schema of the list itself accepts anything. */
export const ROWS: Readonly<Record<string, z.ZodMiniType>> = {
  players: playerRow,
  deposits: depositRow,
  bets: betRow,
  reversals: reversalRow,
  voids: voidRow,
  draws: drawRequest,
};

function bodySchema(body: z.ZodMiniType): Json {
  const schema = jsonSchema(body, "input");
  const properties = Object.entries(schema["properties"] ?? {}).map(([name, property]) => {
    const row = ROWS[name];
    // A property of a JSON Schema is itself a JSON Schema, so it is an object.
    return [name, row ? { ...(property as Json), items: jsonSchema(row, "input") } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Json };
}

function uploadForm(): Json {
  const { properties, ...fields } = jsonSchema(prizeImportForm, "input");
  const file = { ...FILE, description: `csv, xlsx or xls, under ${UPLOAD_BYTES_MAX} bytes` };
  const schema = {
    ...fields,
    properties: Object.assign({ [FILE_FIELD]: file }, properties),
    required: [FILE_FIELD],
  };
  const encoding = { [FILE_FIELD]: { contentType: [CSV_TYPE, XLSX_TYPE, XLS_TYPE].join(", ") } };
  return { required: true, content: { [FORM_TYPE]: { schema, encoding } } };
}

function requestOf(route: Route): Json {
  if (route.access === "upload") {
    return { requestBody: uploadForm() };
  }
  if (route.body === undefined) {
    return {};
  }
  const schema = bodySchema(route.body);
  // An empty body counts as an empty object.
  const required = Array.isArray(schema["required"]) && schema["required"].length > 0;
  return { requestBody: { required, content: content({ [JSON_TYPE]: schema }) } };
}

function parametersOf(route: Route): Json[] {
  const token = { name: "token", in: "query", required: false, schema: { type: "string" } };
  return [
    ...parametersIn(route.params, "path"),
    ...parametersIn(route.query, "query"),
    ...(route.access === "download" ? [token] : []),
  ];
}

function operationOf(noun: string, name: string, route: Route): Json {
  const needs =
    route.auth.by === "operator"
      ? `Permission: ${[route.auth.permission, ...(route.auth.also === undefined ? [] : [route.auth.also])].join(" and ")}.`
      : route.auth.by === "key"
        ? `Scope: ${route.auth.scope}.`
        : "";
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: route.summary,
    description: needs,
    security: securityOf(route),
    parameters: parametersOf(route),
    ...requestOf(route),
    responses: answersOf(route),
  };
}

function headerKey(name: string): Json {
  return { type: "apiKey", in: "header", name };
}

/** Describes the messages to the platform, which have no path on this server. */
function webhooks(): Json {
  const headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => ({
    name,
    in: "header",
    required: true,
    schema: { type: "string" },
  }));
  return Object.fromEntries(
    Object.entries(WEBHOOK_BODIES).map(([type, body]) => {
      const schema = jsonSchema(body, "output");
      const post = {
        operationId: type,
        parameters: headers,
        requestBody: { required: true, content: content({ [JSON_TYPE]: schema }) },
        responses: { "2XX": { description: "Taken; after anything else it is sent again" } },
      };
      return [type, { post }];
    }),
  );
}

export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [noun, routes] of Object.entries(ROUTES)) {
    for (const [name, route] of Object.entries(routes)) {
      const operations = (paths[route.path] ??= {});
      operations[route.method.toLowerCase()] = operationOf(noun, name, route);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "red packet",
      version: "1",
      description:
        "Operator calls answer HTTP 200 with an envelope; platform calls (/open/v1) answer real statuses, refusals as problem documents, and are signed.",
    },
    paths,
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        accessToken: headerKey(TOKEN_HEADER),
        cookie: { type: "apiKey", in: "cookie", name: TOKEN_COOKIE },
        key: headerKey(SIGNING_HEADERS.key),
        timestamp: headerKey(SIGNING_HEADERS.timestamp),
        nonce: headerKey(SIGNING_HEADERS.nonce),
        signature: headerKey(SIGNING_HEADERS.signature),
      },
    },
  };
}
