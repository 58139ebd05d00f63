/** Routes for sign-in, sign-out and the signed-in operator. */
import { randomBytes } from "node:crypto";
import { AppError } from "@red/contract/errors";
import { LOGIN_CODES, TOKEN_COOKIE } from "@red/contract/session";
import type { sessionRoutes } from "@red/contract/session";
import { addressGroup } from "#platform/address-group";
import { logIn } from "./log-in.ts";
import { logOut } from "./log-out.ts";
import { selectSignInAddresses } from "./operator-sql.ts";
import { fadingCounts } from "./guesses.ts";
import type { Handlers, Operator } from "#platform/handlers";
import { requestTokenOf, tokenHash } from "./operator-auth.ts";
import { cookieOptions } from "./session-cookie.ts";

const TOKEN_BYTES = 32;

/** Wrong passwords judged per address and minute, for any names: each costs a hash. */
const WRONG_PER_MINUTE = 120;
const wrong = fadingCounts(60_000 / WRONG_PER_MINUTE, WRONG_PER_MINUTE);
/** Name and address of successful sign-ins: other people's guesses there do not lock these out. */
const right = fadingCounts(Number.POSITIVE_INFINITY, 1);

/** Throws `too_many_requests` when too many wrong passwords came from the address lately. */
async function logInWithin(...[db, secrets, actor, input, now]: Parameters<typeof logIn>) {
  const who = `${input.address} ${input.name}`;
  if (right.of(who) === 0 && wrong.of(input.address) > WRONG_PER_MINUTE - 1) {
    // The memory ends with the process; the audit log stays.
    const addresses = await selectSignInAddresses(db, input.name);
    if (!addresses.some((one) => addressGroup(one) === input.address)) {
      throw new AppError("too_many_requests", { seconds: 1 });
    }
  }
  // Counted before judging and taken back if right: many may be in flight.
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

function signedIn(operator: Operator | null): Operator {
  if (operator === null) {
    throw new AppError("signed_out");
  }
  return operator;
}

export const sessionHandlers: Handlers<typeof sessionRoutes> = {
  login: async ({ db, body, services, actor, request, reply }) => {
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const cookie = request.cookies[TOKEN_COOKIE] ?? "";
    const result = await logInWithin(
      db,
      services.secrets,
      actor,
      {
        // The schema requires one of them; `name` is the older word.
        name: body.username ?? body.name ?? "",
        password: body.password,
        code: body.code,
        address: addressGroup(request.ip),
        token_hash: tokenHash(token),
        replaces: cookie === "" ? null : tokenHash(cookie),
      },
      new Date(),
    );
    switch (result.kind) {
      case "signed_in":
        void reply.setCookie(TOKEN_COOKIE, token, cookieOptions(request));
        return { code: LOGIN_CODES.success, data: { access_token: token, name: result.name } };
      case "bind": {
        const { secret, qr_code, msg } = result;
        return { code: LOGIN_CODES.bind, msg, data: { qr_code, secret } };
      }
      case "code":
        return { code: LOGIN_CODES.code_wanted, msg: result.msg, data: null };
      case "bind_expired":
        return { refused: "not_permitted", msg: "bind_expired", data: null };
      default:
        return result satisfies never;
    }
  },

  logout: async ({ tx, actor, operator }) => {
    const { id, token_hash } = signedIn(operator);
    await logOut(tx, actor, { operator_id: id, token_hash });
    return { data: null };
  },

  userInfo: async ({ operator, services }) => {
    const { name, roles, permissions, token_hash } = signedIn(operator);
    const { settings, secrets } = services;
    return {
      data: {
        name,
        roles: [...roles],
        permissions: [...permissions],
        // No pictures of operators: the console shows the initial.
        avatar: "",
        introduction: roles.join(", "),
        request_token: requestTokenOf(secrets, token_hash),
        time_zone: settings.timeZone,
        red_code_default: settings.redCodeDefault,
        demo: settings.demo,
        wallet: settings.wallet,
      },
    };
  },
};
