/** Making, resetting and disabling operators; names are compared without case (behaviour §9). */
import { badInput } from "@red/contract/errors";
import { faultsOf } from "@red/contract/faults";
import { loginForm } from "@red/contract/session";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import type { Db, Tx } from "#platform/connection";
import {
  clearAuthenticator,
  hasOperator,
  insertOperator,
  lockFirstOperator,
  lockOperator,
  updateOperator,
} from "./operator-sql.ts";
import type { OperatorSecrets } from "./operator-sql.ts";
import { generatePassword, hashPassword } from "./password.ts";
import { endSessionsOf } from "./session-sql.ts";
import * as z from "zod/mini";

export interface NewOperator {
  readonly name: string;
  /** The generated one-time password; null when the caller gave one. */
  readonly password: string | null;
}

const SYSTEM: Actor = { kind: "system", name: "start", request_id: null, address: null };
const FIRST_NAME = "admin";

/** The rule of the sign-in form, so that every operator can sign in. Throws `bad_input`. */
function checkOperatorName(name: string): string {
  const result = z.safeParse(loginForm.shape.username, name);
  if (!result.success) {
    throw badInput(faultsOf(result.error.issues, "en"));
  }
  return result.data;
}

/** Hashes the password, or a generated one if none is given. Throws `bad_input` when it breaks the rule. */
async function hashOrGenerate(given: string | null) {
  const password = given ?? generatePassword();
  return {
    password_hash: await hashPassword(password),
    generated: given === null ? password : null,
  };
}

/** Inserts an operator with the audit row; null when the name is taken. */
async function insertAudited(
  tx: Tx,
  actor: Actor,
  operator: { readonly name: string; readonly password_hash: string },
): Promise<number | null> {
  const id = await insertOperator(tx, operator);
  if (id !== null) {
    await insertAudit(tx, actor, {
      action: "create_operator",
      object_type: "operator",
      object_id: id,
      after: { name: operator.name },
    });
  }
  return id;
}

/**
 * Makes an operator, who binds an authenticator at the first sign-in within 24 h. Generates a password if
 * none is given. Throws `bad_input` when name or password break their rules or the name is taken.
 */
export async function createOperator(
  db: Db,
  actor: Actor,
  input: { readonly name: string; readonly password: string | null },
): Promise<NewOperator> {
  const name = checkOperatorName(input.name);
  const { password_hash, generated } = await hashOrGenerate(input.password);
  await inTransaction(db, async (tx) => {
    if ((await insertAudited(tx, actor, { name, password_hash })) === null) {
      throw badInput([{ field: "name", msg: `there is an operator "${name}" already` }]);
    }
  });
  return { name, password: generated };
}

/**
 * Makes the first operator of a new installation: the configured one, else `admin` with a generated
 * password. Null when there is any operator, even a disabled one. Of several servers that start at once,
 * one makes it.
 */
export async function ensureFirstOperator(
  db: Db,
  configured: { readonly username: string; readonly password: string } | null,
): Promise<NewOperator | null> {
  if (await hasOperator(db)) {
    return null;
  }
  const name = checkOperatorName(configured?.username ?? FIRST_NAME);
  const { password_hash, generated } = await hashOrGenerate(configured?.password ?? null);
  return await inTransaction(db, async (tx) => {
    await lockFirstOperator(tx);
    const isMade =
      !(await hasOperator(tx)) &&
      (await insertAudited(tx, SYSTEM, { name, password_hash })) !== null;
    return isMade ? { name, password: generated } : null;
  });
}

/** Locks the operator. Throws `bad_input` when there is none. */
async function operatorOf(tx: Tx, name: string): Promise<OperatorSecrets> {
  const operator = await lockOperator(tx, name.trim());
  if (operator === null) {
    throw badInput([{ field: "name", msg: `there is no operator "${name}"` }]);
  }
  return operator;
}

/**
 * Replaces the password; generates one if none is given. The authenticator stays bound: a reset never skips
 * the second factor. Throws `bad_input` when there is no such operator or the password breaks the rule.
 */
export async function resetPassword(
  db: Db,
  actor: Actor,
  input: { readonly name: string; readonly password: string | null },
): Promise<NewOperator & { readonly sessions_ended: number }> {
  const { password_hash, generated } = await hashOrGenerate(input.password);
  return await inTransaction(db, async (tx) => {
    const { id, name } = await operatorOf(tx, input.name);
    await updateOperator(tx, id, { password_hash });
    const sessions_ended = await endSessionsOf(tx, id);
    await insertAudit(tx, actor, {
      action: "reset_password",
      object_type: "operator",
      object_id: id,
      after: { sessions_ended },
    });
    return { name, password: generated, sessions_ended };
  });
}

/** The next sign-in within 24 h shows a new seed. Throws `bad_input` when there is no such operator. */
export async function resetTotp(tx: Tx, actor: Actor, input: { readonly name: string }) {
  const { id, name, totp_secret } = await operatorOf(tx, input.name);
  await clearAuthenticator(tx, id);
  const sessions_ended = await endSessionsOf(tx, id);
  await insertAudit(tx, actor, {
    action: "reset_totp",
    object_type: "operator",
    object_id: id,
    before: { bound: totp_secret !== null },
    after: { bound: false, sessions_ended },
  });
  return { name, sessions_ended };
}

/** Disabling ends all sessions. Idempotent. Throws `bad_input` when there is no such operator. */
export async function setOperatorDisabled(
  tx: Tx,
  actor: Actor,
  input: { readonly name: string; readonly disabled: boolean },
) {
  const { id, name, disabled: before } = await operatorOf(tx, input.name);
  const { disabled } = input;
  await updateOperator(tx, id, { disabled });
  const sessions_ended = disabled ? await endSessionsOf(tx, id) : 0;
  await insertAudit(tx, actor, {
    action: disabled ? "disable_operator" : "enable_operator",
    object_type: "operator",
    object_id: id,
    before: { disabled: before },
    after: { disabled, sessions_ended },
  });
  return { name, disabled, sessions_ended };
}
