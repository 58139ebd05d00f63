/** Operators of the console, their sessions, and what operators may change in their own account (behaviour §9). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { byId, id, name, optionalCode } from "#platform/fields";
import { plain, secret } from "#platform/marks";
import { ROLE_NAMES } from "#platform/permissions";
import { operator, route } from "#platform/route";

const roles = () =>
  z
    .array(z.enum(ROLE_NAMES, { error: "not_in_set" }), { error: "choose_roles" })
    .check(z.minLength(1, "choose_roles"));

/** The name of a new operator. Only these letters are allowed, because other letters may look alike. */
const newName = () =>
  name("enter_username", 128).check(
    z.refine((text) => /^[\w.\-\p{Script=Han}]*$/u.test(text), "username_letters"),
  );

export const operatorRow = z.object({
  id: z.int(),
  name: plain(),
  roles: z.array(z.enum(ROLE_NAMES)),
  disabled: z.boolean(),
  /** True if the operator has an authenticator. */
  bound: z.boolean(),
  /** An operator without an authenticator can bind an authenticator until this time. */
  bind_until: plain(),
  /** Number of open sessions. */
  sessions: z.int(),
  seen_at: z.nullable(plain()),
  created_at: plain(),
});
export type OperatorRow = z.output<typeof operatorRow>;

const session = z.object({
  id: z.int(),
  /** The IP address that opened the session; null for older sessions. */
  address: z.nullable(plain()),
  created_at: plain(),
  seen_at: plain(),
  /** True for the session of this call. */
  current: z.boolean(),
});
export type OpenSession = z.output<typeof session>;

const manage = operator("operator.manage", "write", "code");
const takes = operator("operator.manage", "write", { none: "takes access away" });
const own = operator("signed_in", "write", "code");
const ends = operator("signed_in", "write", { none: "ends the operator's own sessions" });
const onOther = { ...manage, params: byId };
const NOT_SAME = { error: "password_same", path: ["password"] };
/** Without an id the call ends all sessions. */
const endBody = z.strictObject({ session_id: z.optional(z.nullable(id())) });
const password = z.object({ password: secret() });
const typedPassword = () =>
  z
    .string({ error: "enter_password" })
    .check(z.minLength(1, "enter_password"), z.maxLength(1024, "too_long|max=1024"));

export const operatorRoutes = {
  list: route({
    call: "GET /gred/api/operator",
    summary: "All operators, oldest first",
    ...operator("operator.manage", "read"),
    data: listOf(operatorRow),
  }),
  create: route({
    call: "POST /gred/api/operator",
    summary: "Make an operator; answers a password that is shown this once",
    ...manage,
    body: z.strictObject({ name: newName(), roles: roles() }),
    data: password,
  }),
  roles: route({
    call: "PUT /gred/api/operator/{id}/roles",
    summary: "Replace the roles of an operator, not one's own",
    ...manage,
    params: byId,
    body: z.strictObject({ roles: roles() }),
  }),
  disable: route({
    call: "PUT /gred/api/operator/{id}/disable",
    summary: "Take an operator's access away and end all sessions",
    ...takes,
    params: byId,
  }),
  enable: route({
    call: "PUT /gred/api/operator/{id}/enable",
    summary: "Give a disabled operator access again",
    ...onOther,
  }),
  password: route({
    call: "PUT /gred/api/operator/{id}/password",
    summary: "Give another operator a new password, shown this once; ends all sessions",
    ...onOther,
    data: password,
  }),
  authenticator: route({
    call: "PUT /gred/api/operator/{id}/authenticator",
    summary: "Let go of another's authenticator and recovery codes; ends all sessions",
    ...onOther,
  }),
  sessions: route({
    call: "GET /gred/api/operator/{id}/session",
    summary: "Open sessions of an operator, newest first",
    ...operator("operator.manage", "read"),
    params: byId,
    data: listOf(session),
  }),
  endSessions: route({
    call: "PUT /gred/api/operator/{id}/session/end",
    summary: "End one session of an operator, or all",
    ...takes,
    params: byId,
    body: endBody,
  }),
};

export const RECOVERY_CODES = 10;

export const ownRoutes = {
  read: route({
    call: "GET /gred/api/own",
    summary: "The caller's sessions and unused recovery codes",
    ...operator("signed_in", "read"),
    data: z.object({ recovery_left: z.int(), sessions: z.array(session) }),
  }),
  password: route({
    call: "PUT /gred/api/own/password",
    summary: "Change the caller's password and end the other sessions",
    ...own,
    body: z
      .strictObject({ current: typedPassword(), password: typedPassword() })
      .check(z.refine((all) => all.current !== all.password, NOT_SAME)),
  }),
  newSeed: route({
    call: "POST /gred/api/own/authenticator",
    summary: "Show the seed of a new authenticator; the present one works until that is bound",
    ...own,
    data: z.object({ qr_code: secret(), secret: secret() }),
  }),
  bindSeed: route({
    call: "PUT /gred/api/own/authenticator",
    summary: "Bind the authenticator of the seed shown last, by its code; ends other sessions",
    ...operator("signed_in", "write", { none: "its own code proves it" }),
    body: z.strictObject({ code: optionalCode() }),
  }),
  recovery: route({
    call: "POST /gred/api/own/recovery",
    summary: "Ten new recovery codes, shown this once; earlier ones no longer work",
    // A person who finds a recovery code must not be able to create new codes.
    ...operator("signed_in", "write", "authenticator"),
    data: z.object({ codes: z.array(secret()) }),
  }),
  endSessions: route({
    call: "PUT /gred/api/own/session/end",
    summary: "End one of the caller's sessions, or all but this one",
    ...ends,
    body: endBody,
  }),
};
