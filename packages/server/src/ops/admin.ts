/** Operators: make, list, reset, disable, enable. */
import {
  createOperator,
  resetPassword,
  resetTotp,
  setOperatorDisabled,
} from "#identity/change-operator";
import { columns } from "./command.ts";
import type { Call, Command, CommandOption, Report } from "./command.ts";
import { BIND_HOURS, selectOperators } from "#identity/operator-sql";

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

/** Null: generate one. */
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
  const made = await createOperator(db, call.actor, { name: call.value("name"), password });
  return {
    json: made,
    lines: [
      `made operator ${made.name}`,
      ...passwordLines(made.password),
      `the first sign-in within ${BIND_HOURS} hours binds an authenticator`,
    ],
  };
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
  const db = await call.open("current");
  const reset = await resetPassword(db, call.actor, { name: call.value("name"), password });
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

async function setDisabled(call: Call, disabled: boolean): Promise<Report> {
  const name = call.value("name");
  const result = await call.write((tx) => setOperatorDisabled(tx, call.actor, { name, disabled }));
  const done = disabled ? `disabled, ${result.sessions_ended} session(s) ended` : "enabled";
  return { json: result, lines: [`operator ${result.name} ${done}`] };
}

export const adminCommands: readonly Command[] = [
  {
    name: "admin create",
    summary: "make an operator; without a password one is generated and shown",
    positional: "name",
    options: { ...NAME, ...PASSWORD },
    run: create,
  },
  { name: "admin list", summary: "list the operators", options: {}, run: list },
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
    name: "admin disable",
    summary: "take an operator's access away and end all sessions",
    positional: "name",
    options: NAME,
    run: (call) => setDisabled(call, true),
  },
  {
    name: "admin enable",
    summary: "give a disabled operator access again",
    positional: "name",
    options: NAME,
    run: (call) => setDisabled(call, false),
  },
];
