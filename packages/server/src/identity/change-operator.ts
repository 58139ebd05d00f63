/** Creates, resets and disables operators (behaviour §9). Names are compared without case. */
import { aboveAnySum } from "@red/engine/risk";
import { AppError, badInput, found } from "@red/contract/platform/errors";
import { faultsOf } from "@red/contract/platform/faults";
import { ROLE_NAMES } from "@red/contract/platform/permissions";
import type { Role } from "@red/contract/platform/permissions";
import { operatorRoutes } from "@red/contract/identity/operators";
import { AT_START, insertAudit } from "#platform/audit";
import type { Actor, AuditEntry } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import {
  clearAuthenticator,
  hasOperator,
  hasOtherAdmin,
  insertOperator,
  lockOperator,
  lockOperatorById,
  lockOperators,
  updateOperator,
} from "./operator-sql.ts";
import type { OperatorSecrets } from "./operator-sql.ts";
import { generatePassword, hashPassword } from "./password.ts";
import { deleteRecoveryCodes } from "./recovery-sql.ts";
import { endSessionsOf } from "./session-sql.ts";
import * as z from "zod/mini";

/**
 * The risk of new accounts, roles, resets and enabling: afterwards the operator can do everything that the roles allow.
 */
export const GIVES_ACCESS = aboveAnySum("gives access");

export interface NewOperator {
  readonly name: string;
  /** The generated one-time password, or null if the caller gave a password. */
  readonly password: string | null;
}

const FIRST_NAME = "admin";

/**
 * Returns the given roles or scopes in the order of `known`. Throws `bad_input` for an unknown value or an empty list.
 */
export function chosen<T extends string>(
  what: string,
  known: readonly T[],
  given: readonly string[],
) {
  const unknown = given.find((one) => !known.some((other) => other === one));
  if (unknown !== undefined || given.length === 0) {
    const msg = `there is no ${what} "${unknown ?? ""}": give some of ${known.join(", ")}`;
    throw badInput([{ field: `${what}s`, msg }]);
  }
  return known.filter((one) => given.includes(one));
}

/** Checks a new name more strictly than sign-in checks a typed name. Throws `bad_input`. */
function checkOperatorName(name: string): string {
  const result = z.safeParse(operatorRoutes.create.body.shape.name, name);
  if (!result.success) {
    throw badInput(faultsOf(result.error.issues, "en"));
  }
  return result.data;
}

/** Hashes the given password, or generates one. Throws `bad_input` or `password_easy`. */
async function hashOrGenerate(given: string | null, name: string) {
  if (given !== null) {
    return { password_hash: await hashPassword(given, name), generated: null };
  }
  const generated = generatePassword();
  return { password_hash: await hashPassword(generated, ""), generated };
}

export async function auditOperator(
  tx: Tx,
  actor: Actor,
  id: number,
  action: string,
  change: Pick<AuditEntry, "before" | "after"> = {},
): Promise<void> {
  await insertAudit(tx, actor, { action, object_type: "operator", object_id: id, ...change });
}

/** Inserts an operator and its audit row. Returns null if the name is taken. */
async function insertAudited(
  tx: Tx,
  actor: Actor,
  operator: { readonly name: string; readonly roles: Role[]; readonly password_hash: string },
): Promise<number | null> {
  const id = await insertOperator(tx, operator);
  if (id !== null) {
    await auditOperator(tx, actor, id, "create_operator", {
      after: { name: operator.name, roles: operator.roles },
    });
  }
  return id;
}

/**
 * Creates an operator, who must bind an authenticator at the first sign-in within 24 h. Generates a
 * password if none is given. Throws `bad_input`, `password_easy` or `operator_name_taken`.
 */
export async function createOperator(
  tx: Tx,
  actor: Actor,
  input: {
    readonly name: string;
    readonly password: string | null;
    /** Default: administrator. */
    readonly roles?: readonly string[];
  },
): Promise<NewOperator> {
  const name = checkOperatorName(input.name);
  const roles = chosen("role", ROLE_NAMES, input.roles ?? ["admin"]);
  const { password_hash, generated } = await hashOrGenerate(input.password, name);
  if ((await insertAudited(tx, actor, { name, roles, password_hash })) === null) {
    throw new AppError("operator_name_taken", { name });
  }
  return { name, password: generated };
}

/**
 * Creates the first operator of a new installation: the configured operator, or `admin` with a generated
 * password. Returns null if any operator exists, even a disabled one. If several servers start at once,
 * only one server creates the operator.
 */
export async function ensureFirstOperator(
  db: Db,
  configured: { readonly username: string; readonly password: string } | null,
): Promise<NewOperator | null> {
  if (await hasOperator(db)) {
    return null;
  }
  const name = checkOperatorName(configured?.username ?? FIRST_NAME);
  const { password_hash, generated } = await hashOrGenerate(configured?.password ?? null, name);
  return await inTransaction(db, async (tx) => {
    await lockOperators(tx);
    const isMade =
      !(await hasOperator(tx)) &&
      (await insertAudited(tx, AT_START, { name, roles: ["admin"], password_hash })) !== null;
    return isMade ? { name, password: generated } : null;
  });
}

/** Selects an operator by name, without case, or by id. */
type Named = { readonly name: string } | { readonly id: number };

/** Locks the operator. Throws `operator_not_found`. */
export async function operatorOf(tx: Tx, named: Named): Promise<OperatorSecrets> {
  return "id" in named
    ? found(await lockOperatorById(tx, named.id), "operator_not_found", { name: named.id })
    : found(await lockOperator(tx, named.name.trim()), "operator_not_found", { name: named.name });
}

/**
 * As `operatorOf`, but throws `own_account` for the caller's own account, which the caller changes on a separate page.
 */
async function otherOperator(tx: Tx, actor: Actor, named: Named): Promise<OperatorSecrets> {
  const operator = await operatorOf(tx, named);
  if (actor.kind === "operator" && actor.name === operator.name) {
    throw new AppError("own_account");
  }
  return operator;
}

/**
 * Replaces the password, and generates one if none is given. The authenticator stays bound, so sign-in
 * still needs the second factor. Throws `bad_input`, `password_easy`, `operator_not_found`, or
 * `own_account` for the caller's own account.
 */
export async function resetPassword(
  tx: Tx,
  actor: Actor,
  input: Named & { readonly password: string | null },
): Promise<NewOperator & { readonly sessions_ended: number }> {
  const given = "name" in input ? input.name : "";
  const { password_hash, generated } = await hashOrGenerate(input.password, given);
  const { id, name } = await otherOperator(tx, actor, input);
  await updateOperator(tx, id, { password_hash });
  const sessions_ended = await endSessionsOf(tx, id);
  await auditOperator(tx, actor, id, "reset_password", {
    after: { sessions_ended },
  });
  return { name, password: generated, sessions_ended };
}

/**
 * Removes the authenticator and the recovery codes: the next sign-in within 24 h shows a new seed. Throws
 * `operator_not_found`, or `own_account` for the caller's own account.
 */
export async function resetTotp(tx: Tx, actor: Actor, input: Named) {
  const { id, name, totp_secret } = await otherOperator(tx, actor, input);
  await clearAuthenticator(tx, id);
  await deleteRecoveryCodes(tx, id);
  const sessions_ended = await endSessionsOf(tx, id);
  await auditOperator(tx, actor, id, "reset_totp", {
    before: { bound: totp_secret !== null },
    after: { bound: false, sessions_ended },
  });
  return { name, sessions_ended };
}

/** Throws `last_administrator` if no other administrator could sign in. Call this after locking the operators. */
async function requireOtherAdmin(tx: Tx, operator: OperatorSecrets): Promise<void> {
  const { roles, disabled } = operator;
  if (roles.includes("admin") && !disabled && !(await hasOtherAdmin(tx, operator))) {
    throw new AppError("last_administrator");
  }
}

/**
 * Changes the roles from the operator's next call on. Throws `bad_input` for an unknown role,
 * `operator_not_found`, `own_account` for the caller's own account, and `last_administrator`.
 */
export async function changeRoles(
  tx: Tx,
  actor: Actor,
  input: Named & { readonly roles: readonly string[] },
) {
  const roles = chosen("role", ROLE_NAMES, input.roles);
  await lockOperators(tx);
  const operator = await otherOperator(tx, actor, input);
  const { id, name, roles: before } = operator;
  if (!roles.includes("admin")) {
    await requireOtherAdmin(tx, operator);
  }
  await updateOperator(tx, id, { roles });
  await auditOperator(tx, actor, id, "change_roles", {
    before: { roles: before },
    after: { roles },
  });
  return { name, roles };
}

/**
 * Disables or enables an operator; disabling ends all sessions. Idempotent. Throws `operator_not_found`,
 * `own_account`, `last_administrator`.
 */
export async function setOperatorDisabled(
  tx: Tx,
  actor: Actor,
  input: Named & { readonly disabled: boolean },
) {
  await lockOperators(tx);
  const operator = await otherOperator(tx, actor, input);
  const { id, name, disabled: before } = operator;
  const { disabled } = input;
  if (disabled) {
    await requireOtherAdmin(tx, operator);
  }
  await updateOperator(tx, id, { disabled });
  const sessions_ended = disabled ? await endSessionsOf(tx, id) : 0;
  await auditOperator(tx, actor, id, disabled ? "disable_operator" : "enable_operator", {
    before: { disabled: before },
    after: { disabled, sessions_ended },
  });
  return { name, disabled, sessions_ended };
}

/**
 * Ends one open session of an operator, or all sessions except `keep`. Throws `operator_not_found`,
 * `session_not_found`.
 */
export async function endSessions(
  tx: Tx,
  actor: Actor,
  input: { readonly id: number; readonly session_id: number | null; readonly keep: Buffer | null },
) {
  const { id } = await operatorOf(tx, input);
  const sessions_ended = await endSessionsOf(tx, id, input);
  if (input.session_id !== null && sessions_ended === 0) {
    throw new AppError("session_not_found");
  }
  await auditOperator(tx, actor, id, "end_sessions", { after: { sessions_ended } });
}
