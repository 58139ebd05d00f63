/** Commands to create, list, reset, disable and enable operators. */
import { operatorRoutes } from "@red/contract/identity/operators";
import {
  changeRoles,
  createOperator,
  GIVES_ACCESS,
  resetPassword,
  resetTotp,
  setOperatorDisabled,
} from "#identity/change-operator";
import { columns, namesOf } from "./command.ts";
import type { Call, Command, CommandOption, Report } from "./command.ts";
import { change, REASON } from "./change.ts";
import { BIND_HOURS, selectOperator, selectOperators } from "#identity/operator-sql";

const NAME = {
  name: {
    value: "NAME",
    help: "the operator, upper or lower case (also --username)",
    required: true,
    alias: "username",
  },
} as const satisfies Record<string, CommandOption>;

const PASSWORD = {
  password: {
    value: "PASSWORD",
    help: "12 to 128 characters; others on this machine can see it while the command runs",
  },
  "password-stdin": { help: "read the password from standard input instead" },
} as const satisfies Record<string, CommandOption>;

/** Returns null if the password must be generated. */
async function passwordOf(call: Call): Promise<string | null> {
  if (call.has("password-stdin")) {
    return (await call.input()).replace(/\r?\n$/, "");
  }
  return call.value("password") === "" ? null : call.value("password");
}

function passwordLines(password: string | null): string[] {
  return password === null ? [] : [`one-time password (shown this once): ${password}`];
}

async function create(call: Call): Promise<Report> {
  const password = await passwordOf(call);
  const db = await call.open("made");
  const roles = call.value("roles") === "" ? ["admin"] : namesOf(call.value("roles"));
  const body = { name: call.value("name"), roles };
  return await change(
    db,
    call,
    { route: operatorRoutes.create, body },
    async (tx, { actor }) => ({
      data: await createOperator(tx, actor, { ...body, password }),
      risk: GIVES_ACCESS,
    }),
    (made) => ({
      json: made,
      lines: [
        `made operator ${made.name}`,
        ...passwordLines(made.password),
        `the first sign-in within ${BIND_HOURS} hours binds an authenticator`,
      ],
    }),
  );
}

async function list(call: Call): Promise<Report> {
  const operators = await selectOperators(await call.open("current"));
  const rows = operators.map((operator) => [
    operator.name,
    operator.roles.join(","),
    operator.disabled ? "disabled" : "active",
    operator.bound ? "bound" : `to bind until ${operator.bind_until.toISOString()}`,
    operator.created_at.toISOString(),
  ]);
  return {
    json: operators,
    lines: columns(["name", "roles", "state", "authenticator", "made"], rows),
  };
}

async function newPassword(call: Call): Promise<Report> {
  const password = await passwordOf(call);
  const input = { name: call.value("name"), password };
  const reset = await call.write((tx) => resetPassword(tx, call.actor, input));
  return {
    json: reset,
    lines: [
      `new password for ${reset.name}, ${reset.sessions_ended} session(s) ended`,
      ...passwordLines(reset.password),
    ],
  };
}

async function newAuthenticator(call: Call): Promise<Report> {
  const name = call.value("name");
  const reset = await call.write((tx) => resetTotp(tx, call.actor, { name }));
  return {
    json: reset,
    lines: [
      `authenticator of ${reset.name} let go, ${reset.sessions_ended} session(s) ended`,
      `the next sign-in within ${BIND_HOURS} hours binds a new one`,
    ],
  };
}

/** Returns the id of the named operator. An unknown name gets the id 0, so that the change reports it. */
async function targetOf(call: Call) {
  const db = await call.open("current");
  const name = call.value("name");
  return { db, name, params: { id: (await selectOperator(db, name.trim()))?.id ?? 0 } };
}

async function newRoles(call: Call): Promise<Report> {
  const body = { roles: namesOf(call.value("roles")) };
  const { db, name, params } = await targetOf(call);
  return await change(
    db,
    call,
    { route: operatorRoutes.roles, params, body },
    async (tx, { actor }) => ({
      data: await changeRoles(tx, actor, { name, ...body }),
      risk: GIVES_ACCESS,
    }),
    (changed) => ({
      json: changed,
      lines: [`roles of ${changed.name}: ${changed.roles.join(", ")}`],
    }),
  );
}

async function disable(call: Call): Promise<Report> {
  const target = { name: call.value("name"), disabled: true };
  const json = await call.write((tx) => setOperatorDisabled(tx, call.actor, target));
  const lines = [`operator ${json.name} disabled, ${json.sessions_ended} session(s) ended`];
  return { json, lines };
}

async function enable(call: Call): Promise<Report> {
  const { db, name, params } = await targetOf(call);
  return await change(
    db,
    call,
    { route: operatorRoutes.enable, params },
    async (tx, { actor }) => ({
      data: await setOperatorDisabled(tx, actor, { name, disabled: false }),
      risk: GIVES_ACCESS,
    }),
    (json) => ({ json, lines: [`operator ${json.name} enabled`] }),
  );
}

const ROLES = "some of admin,operations,support,finance,risk,viewer";

export const adminCommands: readonly Command[] = [
  {
    name: "admin create",
    summary: "make an operator; without a password one is generated and shown",
    positional: "name",
    options: {
      ...NAME,
      ...PASSWORD,
      ...REASON,
      roles: { value: "ROLES", help: `${ROLES}; admin if not given` },
    },
    run: create,
  },
  { name: "admin list", summary: "list the operators", run: list },
  {
    name: "admin reset-password",
    summary: "give an operator a new password and end all sessions",
    positional: "name",
    options: { ...NAME, ...PASSWORD },
    run: newPassword,
  },
  {
    name: "admin reset-totp",
    summary: "let go of an operator's authenticator and end all sessions",
    positional: "name",
    options: NAME,
    run: newAuthenticator,
  },
  {
    name: "admin roles",
    summary: "replace an operator's roles",
    positional: "name roles",
    options: { ...NAME, ...REASON, roles: { value: "ROLES", help: ROLES, required: true } },
    run: newRoles,
  },
  {
    name: "admin disable",
    summary: "take an operator's access away and end all sessions",
    positional: "name",
    options: NAME,
    run: disable,
  },
  {
    name: "admin enable",
    summary: "give a disabled operator access again",
    positional: "name",
    options: { ...NAME, ...REASON },
    run: enable,
  },
];
