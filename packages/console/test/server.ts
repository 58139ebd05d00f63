/** Test server. Keeps the response for each route and the calls that the server received. */
import type { ErrorKey } from "@red/contract/platform/errors";
import type { Needs } from "@red/contract/approvals/guard";
import type { Answer, Route } from "@red/contract/platform/route";
import { CODE_HEADER, PREVIEW_HEADER, sessionRoutes } from "@red/contract/identity/session";
import type { Permission } from "@red/contract/platform/permissions";
import { vi } from "vitest";
import { forgetSession, loadSession } from "#lib/session.ts";
import { OPERATOR } from "#test/fixtures.ts";

export interface Sent {
  readonly url: string;
  readonly body: unknown;
  /** One-time code from the request header. */
  readonly code?: string;
}

type Reply = (sent: Sent) => unknown;

const replies = new Map<Route, Reply>();
/** Responses to previews of changes. */
const previews = new Map<Route, Reply>();

function isOf(route: Route, method: string, path: string): boolean {
  const pattern = new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return route.method === method && pattern.test(path);
}

async function answer(url: string, { method = "GET", body = null, headers }: RequestInit = {}) {
  const [path = ""] = url.split("?");
  const asked = new Headers(headers).has(PREVIEW_HEADER) ? previews : replies;
  const [, reply] = [...asked].find(([route]) => isOf(route, method, path)) ?? [];
  if (reply === undefined) {
    return refusal(404, `nobody answers ${method} ${path}`);
  }
  const code = new Headers(headers).get(CODE_HEADER);
  const sent = { url, body: typeof body === "string" ? JSON.parse(body) : body };
  const data = await reply({ ...sent, ...(code !== null && { code }) });
  return data instanceof Response ? data : Response.json({ code: 200, msg: "success", data });
}

/** Prepares a test file: no route has a response, and no operator is signed in. */
export function startServer(): void {
  replies.clear();
  previews.clear();
  forgetSession();
  vi.stubGlobal("fetch", answer);
}

/** Returns the error response that asks for a reason or a code. By default it asks for a code above 10,000.00. */
export function needing(needs: Partial<Needs>, key: ErrorKey = "proof_needed"): Response {
  const { code = true } = needs;
  const code_above = code ? "10000.00" : null;
  const usual = { code, recovery: true, reason: false, second: false, code_above, pools: [] };
  const risks = { risk: "20000.00", risked: "0.00" };
  return refusal(409, "", { needs: { ...usual, ...risks, ...needs } }, key);
}

export function refusal(code: number, msg: string, data: unknown = null, key?: ErrorKey): Response {
  return Response.json({ code, msg, data, key });
}

/**
 * Sets the response of a route. `reply` is the response, or a function that returns the response. The result collects
 * all calls from now on.
 */
export function serve<R extends Route>(
  route: R,
  reply: Answer<R> | ((sent: Sent) => Answer<R> | Response | Promise<Answer<R> | Response>),
): readonly Sent[] {
  const calls: Sent[] = [];
  // No response is itself a function.
  const replyTo = typeof reply === "function" ? (reply as Reply) : () => reply;
  replies.set(route, (sent) => {
    calls.push(sent);
    return replyTo(sent);
  });
  return calls;
}

/** Sets the response to previews of the route. The result collects all previews from now on. */
export function serveValue(route: Route, valueOf: (sent: Sent) => Partial<Needs>): readonly Sent[] {
  const calls: Sent[] = [];
  previews.set(route, (sent) => {
    calls.push(sent);
    return needing(valueOf(sent), "only_valued");
  });
  return calls;
}

export function held<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((keep) => {
    resolve = keep;
  });
  return { promise, resolve };
}

/** Signs in an operator who has only these permissions. */
export async function signIn(...permissions: Permission[]): Promise<void> {
  serve(sessionRoutes.userInfo, { ...OPERATOR, permissions });
  await loadSession();
}
