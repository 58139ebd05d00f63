/** The cookie that holds a browser's access token (behaviour §1, §9). */
import type { Route } from "@red/contract/route";
import { sessionRoutes, TOKEN_COOKIE, TOKEN_HEADER } from "@red/contract/session";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Ends with the browser; the session may end earlier. */
export function cookieOptions(request: FastifyRequest) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    secure: request.protocol === "https",
  } as const;
}

/**
 * Removes the token from the browser on sign-out, even when the session is over or the database is away: a
 * console that could not load who is signed in clears it so (spec §2 "Route guard"). The cookie or a header
 * must come with the call: a foreign page can send neither.
 */
export function clearLeftToken(route: Route, request: FastifyRequest, reply: FastifyReply): void {
  const sent = request.cookies[TOKEN_COOKIE] ?? request.headers[TOKEN_HEADER];
  if (route.path === sessionRoutes.logout.path && sent !== undefined) {
    void reply.clearCookie(TOKEN_COOKIE, cookieOptions(request));
  }
}
