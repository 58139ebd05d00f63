/** The OpenAPI 3.1 description, made from the contract's routes: it cannot say another thing. */
import { problem } from "@red/contract/draw";
import type { Route } from "@red/contract/route";
import { ROUTES } from "@red/contract/routes";
import { TOKEN_COOKIE, TOKEN_HEADER } from "@red/contract/session";
import { SIGNING_HEADERS } from "@red/contract/signing";
import * as z from "zod/mini";

type Json = Record<string, unknown>;

function jsonSchema(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

function parametersOf(schema: z.ZodMiniType | undefined, where: "path" | "query"): Json[] {
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

const ENVELOPE_ERROR = {
  type: "object",
  properties: { code: { type: "integer" }, msg: { type: "string" }, data: {} },
  required: ["code", "msg", "data"],
};

function answersOf(route: Route): Json {
  const data = jsonSchema(route.data, "input");
  const content = (schema: Json, type = "application/json") => ({
    content: { [type]: { schema } },
  });
  if (route.auth.by === "key") {
    const good = { description: "Done", ...content(data) };
    const refused = {
      description: "Refused; `code` names the reason",
      ...content(jsonSchema(problem, "output"), "application/problem+json"),
    };
    return { 200: good, 201: good, default: refused };
  }
  const envelope = {
    type: "object",
    properties: { code: { type: "integer" }, msg: { type: "string" }, data },
    required: ["code", "msg", "data"],
  };
  return {
    200: {
      description: "Done, or a refusal told by `code`",
      ...content({ anyOf: [envelope, ENVELOPE_ERROR] }),
    },
    default: { description: "Nothing was carried out", ...content(ENVELOPE_ERROR) },
  };
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

function operationOf(noun: string, name: string, route: Route): Json {
  const needs =
    route.auth.by === "operator"
      ? `Permission: ${route.auth.permission}.`
      : route.auth.by === "key"
        ? `Scope: ${route.auth.scope}.`
        : "";
  return {
    operationId: `${noun}.${name}`,
    tags: [noun],
    summary: route.summary,
    description: needs,
    security: securityOf(route),
    parameters: [...parametersOf(route.params, "path"), ...parametersOf(route.query, "query")],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            content: { "application/json": { schema: jsonSchema(route.body, "input") } },
          },
        }),
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
