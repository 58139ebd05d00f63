/** Sign-in, sign-out, and data about the caller (spec §2, §6; behaviour §1, §9). */
import * as z from "zod/mini";
import { name, optionalCode, trimmedText } from "#platform/fields";
import { plain, secret } from "#platform/marks";
import { PERMISSIONS, ROLE_NAMES } from "#platform/permissions";
import { operator, route } from "#platform/route";

/** Cookie that contains the access token (spec §6). */
export const TOKEN_COOKIE = "Admin-Token";
/** Header with the access token, or with the request token when the cookie has the access token. */
export const TOKEN_HEADER = "token";
/** Header with the reason of a change, percent-encoded as UTF-8 (behaviour §16). */
export const REASON_HEADER = "x-reason";
/** Header with the one-time code of a change. Older clients send the code in the body or in the form. */
export const CODE_HEADER = "x-code";
/**
 * Header of a preview: the server values the change and rolls it back. The error `only_valued` lists the
 * proofs that the change needs (behaviour §16).
 */
export const PREVIEW_HEADER = "x-preview";

/** Codes of the login call that the error table does not have (spec §4). */
export const LOGIN_CODES = { success: 0, code_wanted: 402, bind: 407 } as const;

/** Fields of the login form (spec §5). */
export const loginForm = z.object({
  username: name("enter_username", 128),
  password: z.string({ error: "enter_password" }).check(z.minLength(1, "enter_password")),
});

/**
 * Body of the login call; `name` is the older word for `username`. The checks run in form order, so an empty
 * body reports the user name first.
 */
export const loginBody = z
  .strictObject({
    username: z.optional(trimmedText("enter_username", 128)),
    name: z.optional(trimmedText("enter_username", 128)),
    password: z._default(
      z.string({ error: "enter_password" }).check(z.maxLength(1024, "too_long|max=1024")),
      "",
    ),
    pid: z.optional(z.union([z.literal("2"), z.literal(2)], { error: "not_in_set" })),
    code: optionalCode(),
    /**
     * The client echoes this secret, but the server never trusts it. The server uses the pending secret that
     * it stored (behaviour §1).
     */
    secret: z.optional(z.nullable(z.string({ error: "not_a_text" }))),
  })
  .check(
    z.refine((body) => body.username !== undefined || body.name !== undefined, {
      error: "enter_username",
      path: ["username"],
    }),
    z.refine((body) => body.password !== "", { error: "enter_password", path: ["password"] }),
  );

/** Data of the three successful responses: 0, 407 and 402. */
export const loginData = z.union([
  z.object({ access_token: secret(), name: plain() }),
  z.object({ qr_code: secret(), secret: secret() }),
  z.null(),
]);

export const userInfo = z.object({
  name: plain(),
  roles: z.array(z.enum(ROLE_NAMES)),
  permissions: z.array(z.enum(PERMISSIONS)),
  avatar: plain(),
  introduction: plain(),
  /**
   * Number of wrong one-time codes that followed the right password and came from new addresses. Counts the
   * last 7 days, but only since the current password is in use.
   */
  wrong_codes: z.int(),
  request_token: secret(),
  /** Settings of the installation for the console. */
  time_zone: plain(),
  red_code_default: plain(),
  demo: z.boolean(),
  /** `none`: payouts stay queued, and the console shows this (behaviour §6). */
  wallet: z.enum(["none", "demo", "configured"]),
});
export type UserInfo = z.output<typeof userInfo>;

export const sessionRoutes = {
  login: route({
    call: "POST /oauth/login",
    summary: "Sign in with user name, password and one-time code",
    auth: { by: "nobody" },
    access: "own",
    proof: { none: "it signs in" },
    body: loginBody,
    data: loginData,
  }),
  logout: route({
    call: "POST /gred/api/logout",
    summary: "End the session",
    ...operator("signed_in", "write", { none: "the operator's own session" }),
  }),
  userInfo: route({
    call: "GET /gred/api/user/info",
    summary: "Name, roles and permissions of the operator, and the session's request token",
    ...operator("signed_in", "read"),
    data: userInfo,
  }),
};
