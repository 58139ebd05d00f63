/** Sign-in, sign-out, who is calling, and what they may do (spec §2, §6; behaviour §1, §9). */
import * as z from "zod/mini";
import { trimmedText, name } from "./fields.ts";
import { PERMISSIONS } from "./permissions.ts";
import { route } from "./route.ts";

/** Cookie that holds the access token (spec §6). */
export const TOKEN_COOKIE = "Admin-Token";
/** Header that holds the access token, or the request token beside the cookie. */
export const TOKEN_HEADER = "token";

/** Codes of the login call beside the error table's (spec §4). */
export const LOGIN_CODES = { success: 0, code_wanted: 402, bind: 407 } as const;

/** What the login form asks for (spec §5). */
export const loginForm = z.object({
  username: name("enter_username", 128),
  password: z.string({ error: "enter_password" }).check(z.minLength(1, "enter_password")),
});

/**
 * What the login call accepts: `name` is the older word for `username`. Which of the two is there, and
 * whether the password is, is asked in the form's order, so that nothing at all names the user first.
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
    code: z.optional(z.nullable(z.string({ error: "not_a_text" }).check(z.trim()))),
    /** Sent back by the client, never trusted: the pending one kept by the server is (behaviour §1). */
    secret: z.optional(z.nullable(z.string({ error: "not_a_text" }))),
  })
  .check(
    z.refine((body) => body.username !== undefined || body.name !== undefined, {
      error: "enter_username",
      path: ["username"],
    }),
    z.refine((body) => body.password !== "", { error: "enter_password", path: ["password"] }),
  );

/** Data of the three good answers of the login call: 0, 407 and 402. */
export const loginData = z.union([
  z.object({ access_token: z.string(), name: z.string() }),
  z.object({ qr_code: z.string(), secret: z.string() }),
  z.null(),
]);

export const userInfo = z.object({
  name: z.string(),
  roles: z.array(z.string()),
  permissions: z.array(z.enum(PERMISSIONS)),
  avatar: z.string(),
  introduction: z.string(),
  request_token: z.string(),
  /** What the console needs to know of this installation. */
  time_zone: z.string(),
  red_code_default: z.string(),
  demo: z.boolean(),
  /** `none`: payouts wait in the queue, and the console says so (behaviour §6). */
  wallet: z.enum(["none", "demo", "configured"]),
});
export type UserInfo = z.output<typeof userInfo>;

export const sessionRoutes = {
  login: route({
    method: "POST",
    path: "/oauth/login",
    summary: "Sign in with user name, password and one-time code",
    auth: { by: "nobody" },
    access: "own",
    body: loginBody,
    data: loginData,
  }),
  logout: route({
    method: "POST",
    path: "/gred/api/logout",
    summary: "End the session",
    auth: { by: "operator", permission: "signed_in" },
    access: "write",
    data: z.null(),
  }),
  userInfo: route({
    method: "GET",
    path: "/gred/api/user/info",
    summary: "Name, roles and permissions of the operator, and the session's request token",
    auth: { by: "operator", permission: "signed_in" },
    access: "read",
    data: userInfo,
  }),
};
