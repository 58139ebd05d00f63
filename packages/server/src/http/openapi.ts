/** The OpenAPI 3.1 description, made from the contract's routes: it cannot say another thing. */
import { activityRoutes } from "@red/contract/activity";
import { drawRequest, problem } from "@red/contract/draw";
import { SUCCESS } from "@red/contract/envelope";
import { betRow, depositRow, playerRow, reversalRow, voidRow } from "@red/contract/ingest";
import type { Route } from "@red/contract/route";
import { ROUTES } from "@red/contract/routes";
import { LOGIN_CODES, sessionRoutes, TOKEN_COOKIE, TOKEN_HEADER } from "@red/contract/session";
import { SIGNING_HEADERS } from "@red/contract/signing";
import * as z from "zod/mini";

type Json = Record<string, unknown>;

function jsonSchema(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
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

/** An envelope whose code is, or is not, one of `codes`. */
function envelopeOf(code: Json, data: Json): Json {
  return {
    type: "object",
    properties: { code: { type: "integer", ...code }, msg: { type: "string" }, data },
    required: ["code", "msg", "data"],
  };
}

const JSON_TYPE = "application/json";
const PROBLEM_TYPE = "application/problem+json";
const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const CSV_TYPE = "text/csv";
const JSONL_TYPE = "application/jsonl";
const FILE: Json = { type: "string", format: "binary" };

/** Schemas by content type. */
function content(schemas: Readonly<Record<string, Json>>): Json {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]));
}

function platformAnswers(route: Route): Json {
  const data = jsonSchema(route.data, "input");
  const good = { description: "Done", content: content({ [JSON_TYPE]: data }) };
  const refused = {
    description: "Refused; `code` names the reason",
    content: content({ [PROBLEM_TYPE]: jsonSchema(problem, "input") }),
  };
  return { 200: good, 201: good, default: refused };
}

/** What a download may be: a table in either format, but for the evidence of a round. */
function filesOf(route: Route): Json {
  return route === activityRoutes.proof
    ? { [JSONL_TYPE]: FILE }
    : { [XLSX_TYPE]: FILE, [CSV_TYPE]: FILE };
}

/** From the code alone follows whether `data` is the answer or tells more of the refusal. */
function operatorAnswers(route: Route): Json {
  const codes = route === sessionRoutes.login ? Object.values(LOGIN_CODES) : [SUCCESS];
  const refused = envelopeOf({ not: { enum: codes } }, { type: ["object", "null"] });
  const done = envelopeOf({ enum: codes }, jsonSchema(route.data, "input"));
  const schemas =
    route.access === "download"
      ? { ...filesOf(route), [JSON_TYPE]: refused }
      : { [JSON_TYPE]: { anyOf: [done, refused] } };
  return {
    200: { description: "Done, or a refusal told by `code`", content: content(schemas) },
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

/** Rows that are judged one by one: the list takes anything, and this is what is right. */
const ROWS: Readonly<Record<string, z.ZodMiniType>> = {
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
    // A property of a JSON Schema is a JSON Schema, hence an object.
    return [name, row ? { ...(property as Json), items: jsonSchema(row, "input") } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) as Json };
}

/**
 * The form of an upload: who uploads, the file, and for prizes the pool of rows that name none and the
 * preview that is to be carried out.
 */
const UPLOAD: Json = {
  type: "object",
  properties: {
    token: { type: "string" },
    poolFile: FILE,
    pool_name: { type: "string" },
    plan: { type: "string" },
  },
  required: ["poolFile"],
};

function requestOf(route: Route): Json {
  if (route.access === "upload") {
    return { requestBody: { content: content({ "multipart/form-data": UPLOAD }) } };
  }
  if (route.body === undefined) {
    return {};
  }
  return { requestBody: { content: content({ [JSON_TYPE]: bodySchema(route.body) }) } };
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

/** The whole description. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [noun, routes] of Object.entries(ROUTES)) {
    for (const [name, route] of Object.entries(routes)) {
      const at = (paths[route.path] ??= {});
      at[route.method.toLowerCase()] = operationOf(noun, name, route);
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
