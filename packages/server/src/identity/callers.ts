/** Identifies the caller of a route by session or signature, and checks permissions (behaviour §1 "Who is calling"). */
import { badInput } from "@red/contract/platform/errors";
import { trimmedText } from "@red/contract/platform/fields";
import { ingestRoutes } from "@red/contract/events/ingest";
import { REASON_LENGTH_MAX } from "@red/contract/platform/limits";
import { notPermitted } from "@red/contract/platform/permissions";
import type { Permission } from "@red/contract/platform/permissions";
import type { Route } from "@red/contract/platform/route";
import { REASON_HEADER } from "@red/contract/identity/session";
import { languageOf, text } from "@red/contract/platform/texts";
import { insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db } from "#platform/db/connection";
import type { EventStreams } from "#platform/http/event-stream";
import type { Caller, Operator } from "#platform/handlers";
import type { Calling } from "#platform/http/mount";
import { referText } from "#platform/player-names";
import type { BodyLimitDeps } from "./body-limits.ts";
import { identifyKey, nonceMemory, storedNonces } from "./key-auth.ts";
import { identifyByAddress, identifyOperator, sentTokens, tokenHash } from "./operator-auth.ts";
import { clearLeftToken } from "./session-routes.ts";
import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";

export interface CallerDeps extends BodyLimitDeps {
  readonly streams: Pick<EventStreams, "requireSeat">;
}

async function identifyBySession(calling: Calling, deps: CallerDeps): Promise<Operator> {
  const { route, request, formToken } = calling;
  if (route.access === "stream") {
    // Rejects a flood of streams before the session is looked up.
    sentTokens(request).map(tokenHash).forEach(deps.streams.requireSeat);
  }
  if (route.access !== "download" && route.access !== "upload") {
    const isUnattended = route.auth.by === "operator" && route.auth.unattended === true;
    return await identifyOperator(request, { ...deps, isUnattended });
  }
  const [path = ""] = request.url.split("?", 1);
  const query = request.query as Readonly<Record<string, unknown>>;
  // A download has its token in the query, and an upload has its token in the form.
  const token = formToken === "" ? query["token"] : formToken;
  const text = typeof token === "string" ? token : "";
  return await identifyByAddress(request, text, { path, query }, deps);
}

/**
 * Returns the reason from the request header of a change (behaviour §16). Throws `bad_input` if the reason
 * is too long or wrongly encoded.
 */
function reasonIn({ headers }: FastifyRequest): string | null {
  const sent = headers[REASON_HEADER];
  if (typeof sent !== "string" || sent === "") {
    return null;
  }
  const form = z.pipe(
    z.transform(decodeURIComponent),
    trimmedText("enter_reason", REASON_LENGTH_MAX),
  );
  const language = languageOf(headers["accept-language"]);
  try {
    return z.parse(form, sent);
  } catch {
    throw badInput([{ field: "reason", msg: text("enter_reason", language) }]);
  }
}

/** Throws `not_permitted` and writes an audit row if the operator lacks one of the permissions. */
export async function requirePermissions(
  db: Db,
  { operator, actor }: Caller,
  route: Route,
  needed: readonly (Permission | undefined)[],
): Promise<void> {
  const permission = needed.find(
    (name) => name !== undefined && operator?.permissions.includes(name) !== true,
  );
  if (permission !== undefined) {
    await insertRefusal(db, actor, {
      action: "call",
      object_type: "permission",
      object_id: permission,
      after: { method: route.method, path: route.path },
    });
    throw notPermitted(permission);
  }
}

/** Identifies callers. Throws if a caller may not use the route, and writes an audit row for a missing permission. */
export function identifyCallers(deps: CallerDeps): (calling: Calling) => Promise<Caller> {
  const remembered = nonceMemory();
  const stored = storedNonces(deps.db);
  const { keys } = deps;
  return async (calling) => {
    const { route, request, reply, body } = calling;
    clearLeftToken(route, request, reply);
    const where = { request_id: request.id, address: request.ip };
    switch (route.auth.by) {
      case "nobody":
        return { operator: null, actor: { kind: "system", name: "anonymous", ...where } };
      case "key": {
        const nonces = route === ingestRoutes.players ? stored : remembered;
        const key = await identifyKey(request, body, route.auth.scope, { keys, nonces });
        return { operator: null, actor: { kind: "key", name: key, ...where } };
      }
      case "operator": {
        const operator = await identifyBySession(calling, deps);
        const reason = await referText(deps.db, reasonIn(request));
        const actor: Actor = { kind: "operator", name: operator.name, ...where, reason };
        const { permission, also } = route.auth;
        const needed = permission === "signed_in" ? [] : [permission, also];
        await requirePermissions(deps.db, { operator, actor }, route, needed);
        return { operator, actor };
      }
      default:
        return route.auth satisfies never;
    }
  };
}
