/** Routes for sign-in, sign-out, the signed-in operator, and download tickets. */
import { randomBytes } from "node:crypto";
import { AppError } from "@red/contract/platform/errors";
import type { Route } from "@red/contract/platform/route";
import {
  LOGIN_CODES,
  sessionRoutes,
  TOKEN_COOKIE,
  TOKEN_HEADER,
} from "@red/contract/identity/session";
import type { ticketRoutes } from "@red/contract/identity/ticket";
import { addressGroup } from "#platform/http/address-group";
import { insertAudit } from "#platform/audit";
import { createTicket } from "./ticket.ts";
import { logIn } from "./log-in.ts";
import { countWrongCodes, hasSignedInFrom } from "./operator-sql.ts";
import { fadingCounts } from "./auth-throttle.ts";
import { signedIn } from "#platform/handlers";
import type { Handlers } from "#platform/handlers";
import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieTokens, requestTokenOf, tokenHash } from "./operator-auth.ts";
import { endSession } from "./session-sql.ts";

const TOKEN_BYTES = 32;

/** The cookie ends when the browser closes. The session may end earlier. */
function cookieOptions(request: FastifyRequest) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "strict",
    secure: request.protocol === "https",
  } as const;
}

/**
 * Removes the cookie on sign-out, even if the session is over or the database is down: the console signs
 * out when it cannot load the operator (spec §2 "Route guard"). The call must have the cookie or the
 * header, because a foreign page can send neither.
 */
export function clearLeftToken(route: Route, request: FastifyRequest, reply: FastifyReply): void {
  const sent = request.cookies[TOKEN_COOKIE] ?? request.headers[TOKEN_HEADER];
  if (route.path === sessionRoutes.logout.path && sent !== undefined) {
    void reply.clearCookie(TOKEN_COOKIE, cookieOptions(request));
  }
}

/** Maximum number of wrong passwords per address and minute, for all names together, because each one costs a hash. */
const WRONG_PER_MINUTE = 120;
const wrong = fadingCounts(60_000 / WRONG_PER_MINUTE, WRONG_PER_MINUTE);
/**
 * Name and address of successful sign-ins. Wrong passwords of other people at the same address do not block
 * these sign-ins.
 */
const right = fadingCounts(Number.POSITIVE_INFINITY, 1);

/** Throws `too_many_requests` if too many wrong passwords came from the address recently. */
async function logInWithin(...[db, secrets, actor, input, now]: Parameters<typeof logIn>) {
  const who = `${input.address} ${input.name}`;
  if (right.of(who) === 0 && wrong.of(input.address) > WRONG_PER_MINUTE - 1) {
    // After a restart `right` is empty, so this checks the audit log.
    if (!(await hasSignedInFrom(db, input))) {
      throw new AppError("too_many_requests", { seconds: 1 });
    }
  }
  // Counts the attempt first and takes it back if the password was right, because many attempts may run in parallel.
  wrong.add(input.address);
  let isWrong = false;
  try {
    const result = await logIn(db, secrets, actor, input, now);
    right.add(who);
    return result;
  } catch (fault) {
    isWrong = fault instanceof AppError && fault.key === "login_wrong";
    throw fault;
  } finally {
    wrong.add(input.address, isWrong ? 0 : -1);
  }
}

export const sessionHandlers: Handlers<typeof sessionRoutes> = {
  login: async ({ db, body, services, actor, request, reply }) => {
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const input = {
      // The schema requires `username` or `name`; `name` is the older field.
      name: body.username ?? body.name ?? "",
      password: body.password,
      code: body.code,
      address: addressGroup(request.ip),
      token_hash: tokenHash(token),
      replaces: cookieTokens(request).map(tokenHash),
    };
    const result = await logInWithin(db, services.secrets, actor, input, new Date());
    switch (result.kind) {
      case "signed_in":
        void reply.setCookie(TOKEN_COOKIE, token, cookieOptions(request));
        return { code: LOGIN_CODES.success, data: { access_token: token, name: result.name } };
      case "bind": {
        const { secret, qr_code, msg } = result;
        return { code: LOGIN_CODES.bind, msg, data: { qr_code, secret } };
      }
      case "code":
        return { needs: result.msg };
      case "bind_expired":
        return { refused: "not_permitted", msg: "bind_expired", data: null };
      default:
        return result satisfies never;
    }
  },

  logout: async ({ tx, actor, operator }) => {
    const { id, token_hash } = signedIn(operator);
    // If two calls run at once, the later call finds the session already ended, which is harmless.
    if (await endSession(tx, token_hash)) {
      await insertAudit(tx, actor, { action: "log_out", object_type: "operator", object_id: id });
    }
    return { data: null };
  },

  userInfo: async ({ db, operator, services }) => {
    const { id, name, roles, permissions, token_hash } = signedIn(operator);
    const { settings, secrets } = services;
    return {
      data: {
        name,
        roles: [...roles],
        permissions: [...permissions],
        // Operators have no pictures: the console shows the initial.
        avatar: "",
        introduction: roles.join(", "),
        wrong_codes: await countWrongCodes(db, id),
        request_token: requestTokenOf(secrets, token_hash),
        time_zone: settings.timeZone,
        red_code_default: settings.redCodeDefault,
        demo: settings.demo,
        wallet: settings.wallet,
      },
    };
  },
};

export const ticketHandlers: Handlers<typeof ticketRoutes> = {
  create: async ({ tx, actor, operator, body }) => {
    const ticket = await createTicket(tx, actor, signedIn(operator).token_hash, body);
    return { data: { ticket } };
  },
};
