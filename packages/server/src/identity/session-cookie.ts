/** The cookie that holds a browser's access token (behaviour §1, §9). */
import type { Route } from "@red/contract/route";
import { sessionRoutes, TOKEN_COOKIE, TOKEN_HEADER } from "@red/contract/session";
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

/**
 * Signing out takes the token from the browser whatever comes of it: a console that could not load who is
 * signed in clears it so (spec §2 "Route guard"), also when the session is over or the database away. The
 * cookie or a header has to come with the call: a foreign page can send neither.
 */
export function clearLeftToken(route: Route, request: FastifyRequest, reply: FastifyReply): void {
  const sent = request.cookies[TOKEN_COOKIE] ?? request.headers[TOKEN_HEADER];
  if (route.path === sessionRoutes.logout.path && sent !== undefined) {
    void reply.clearCookie(TOKEN_COOKIE, cookieOptions(request));
  }
}
