/** Identifies operators by session (behaviour §1 "Who is calling"). */
import { createHash } from "node:crypto";
import { AppError, found } from "@red/contract/platform/errors";
import { ROLES } from "@red/contract/platform/permissions";
import { sessionRoutes, TOKEN_COOKIE, TOKEN_HEADER } from "@red/contract/identity/session";
import type { SecretBox } from "#platform/secret-box";
import type { Db } from "#platform/db/connection";
import type { CheckSessions } from "#platform/http/event-stream";
import { selectSessionsBy, touchSession } from "./session-sql.ts";
import { targetHash, TICKET_PREFIX, ticketHash, useTicket } from "./ticket.ts";
import type { Operator, Services } from "#platform/handlers";
import type { FastifyRequest } from "fastify";

/** 32 random bytes as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface AuthDeps {
  readonly db: Db;
  readonly services: Services;
  /** The console made the call automatically, perhaps while nobody was there. */
  readonly isUnattended?: boolean;
}

export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Returns the token that the console sends beside the cookie. The token is derived from the session. */
export function requestTokenOf(secrets: SecretBox, hash: Buffer): string {
  return secrets.derive("request-token", hash);
}

/**
 * Returns all values of our cookie in the order sent. Other systems of the domain may set a cookie of the same name.
 */
export function cookieTokens({ headers }: FastifyRequest): string[] {
  const start = `${TOKEN_COOKIE}=`;
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const ours = pairs.filter((pair) => pair.startsWith(start));
  return ours.map((pair) => pair.slice(start.length)).filter((token) => token !== "");
}

/**
 * Returns the operator of the first token with a live session. If no session is live, throws the error of
 * the first token.
 */
async function operatorOfTokens(tokens: readonly string[], deps: AuthDeps): Promise<Operator> {
  const hashes = tokens.filter((token) => TOKEN.test(token)).map(tokenHash);
  if (hashes.length === 0) {
    throw new AppError("token_malformed");
  }
  return await operatorOfHashes(hashes, deps);
}

type Session = Awaited<ReturnType<typeof selectSessionsBy>>[number];

/** Throws the reason why the session is over. */
function operatorOf(session: Session | undefined): Operator {
  if (session === undefined) {
    throw new AppError("token_unknown");
  }
  if (session.ended_by === "logout") {
    throw new AppError("signed_out");
  }
  if (session.ended_by === "other" || session.disabled) {
    throw new AppError("session_ended");
  }
  if (session.expired) {
    throw new AppError("session_expired");
  }
  const permissions = [...new Set(session.roles.flatMap((role) => ROLES[role]))];
  const { operator_id: id, name, roles, token_hash } = session;
  return { id, name, roles, permissions, token_hash, by_console: false };
}

async function operatorOfHashes(hashes: readonly Buffer[], deps: AuthDeps): Promise<Operator> {
  const rows = await selectSessionsBy(deps.db, hashes);
  const sessions = hashes.flatMap((hash) => rows.filter((one) => one.token_hash.equals(hash)));
  const isLive = (one: Session) => one.ended_by === null && !one.disabled && !one.expired;
  const session = sessions.find(isLive) ?? sessions[0];
  const operator = operatorOf(session);
  if (session?.stale === true && deps.isUnattended !== true) {
    await touchSession(deps.db, session.token_hash);
  }
  return operator;
}

/** Checks the sessions of open streams in one query. The check does not extend the sessions. */
export function sessionCheck(db: Db): CheckSessions {
  return async (hashes) => {
    const sessions = await selectSessionsBy(db, hashes);
    return (hash) => {
      try {
        return operatorOf(sessions.find(({ token_hash }) => token_hash.equals(hash)));
      } catch (fault) {
        if (fault instanceof AppError) {
          return fault;
        }
        throw fault;
      }
    };
  };
}

async function optionalOperator(token: string, deps: AuthDeps): Promise<Operator | null> {
  try {
    return await operatorOfTokens([token], deps);
  } catch (fault) {
    if (fault instanceof AppError) {
      return null;
    }
    throw fault;
  }
}

/**
 * Accepts an access token in the `token` header alone, or the cookie with the session's request token in
 * that header; `user/info` and `logout` need only the cookie (decisions/0015). If several cookies were
 * sent, the cookie with a live session counts.
 */
export async function identifyOperator(request: FastifyRequest, deps: AuthDeps): Promise<Operator> {
  const sent = request.headers[TOKEN_HEADER];
  const header = typeof sent === "string" ? sent : "";
  const cookies = cookieTokens(request);
  if (cookies.length === 0) {
    if (header === "") {
      throw new AppError("signed_out");
    }
    return await operatorOfTokens([header], deps);
  }
  const { secrets } = deps.services;
  const paired = cookies.find((cookie) => header === requestTokenOf(secrets, tokenHash(cookie)));
  if (paired === undefined) {
    const byHeader = await optionalOperator(header, deps);
    if (byHeader !== null) {
      return byHeader;
    }
  }
  const operator = await operatorOfTokens(paired === undefined ? cookies : [paired], deps);
  const { url } = request.routeOptions;
  if (
    paired === undefined &&
    url !== sessionRoutes.userInfo.path &&
    url !== sessionRoutes.logout.path
  ) {
    throw new AppError("request_token_wrong");
  }
  return { ...operator, by_console: true };
}

/** Returns all tokens of a request, cookies first. */
export function sentTokens(request: FastifyRequest): string[] {
  return [...cookieTokens(request), String(request.headers[TOKEN_HEADER] ?? "")];
}

async function isSomebodyElse(
  request: FastifyRequest,
  operator: Operator,
  deps: AuthDeps,
): Promise<boolean> {
  for (const token of sentTokens(request)) {
    const other = await optionalOperator(token, deps);
    if (other !== null && other.id !== operator.id) {
      return true;
    }
  }
  return false;
}

/**
 * Identifies the caller of a download or upload. `token` in the address or form is a ticket for exactly
 * this call, or an access token where the installation allows that. Without it, or if the header has the
 * same token, the call is identified like any other call.
 */
export async function identifyByAddress(
  request: FastifyRequest,
  token: string,
  target: { readonly path: string; readonly query: Readonly<Record<string, unknown>> },
  deps: AuthDeps,
): Promise<Operator> {
  if (token === "" || token === request.headers[TOKEN_HEADER]) {
    return await identifyOperator(request, deps);
  }
  if (token.startsWith(TICKET_PREFIX)) {
    const hash = found(
      await useTicket(deps.db, ticketHash(token), targetHash(target.path, target.query)),
      "ticket_spent",
    );
    const operator = await operatorOfHashes([hash], deps);
    if (await isSomebodyElse(request, operator, deps)) {
      throw new AppError("ticket_spent");
    }
    return operator;
  }
  if (!deps.services.settings.tokenInAddress) {
    throw new AppError("ticket_spent");
  }
  return await operatorOfTokens([token], deps);
}
