/** The cookie that holds a browser's access token (behaviour §1, §9). */
import { AppError } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import type { Route } from "@red/contract/route";
import { sessionRoutes, TOKEN_COOKIE } from "@red/contract/session";
import type { FastifyReply, FastifyRequest } from "fastify";

/** It lasts as long as the browser, the session less. */
export function cookieOptions(request: FastifyRequest) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    secure: request.protocol === "https",
  } as const;
}

export function clearTokenCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.clearCookie(TOKEN_COOKIE, cookieOptions(request));
}

/** The token of the cookie opens nothing, now or ever. */
const OVER: ReadonlySet<ErrorKey> = new Set([
  "signed_out",
  "token_unknown",
  "session_ended",
  "session_expired",
  "token_malformed",
]);

/**
 * Signing out of a session that is over takes the dead token from the browser all the same: a console
 * that could not load who is signed in clears it so (spec §2 "Route guard"). Any other fault leaves
 * the cookie, so that no foreign page can sign anybody out.
 */
export function clearDeadToken(
  route: Route,
  fault: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (route.path === sessionRoutes.logout.path && fault instanceof AppError) {
    if (OVER.has(fault.key)) {
      clearTokenCookie(request, reply);
    }
  }
}
