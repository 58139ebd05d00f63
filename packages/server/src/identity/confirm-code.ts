/**
 * One-time codes (behaviour §9) for sign-in and for single actions. A wrong code counts as a failed
 * sign-in. The lock of the attempt protects the count of failures.
 */
import { AppError } from "@red/contract/platform/errors";
import { LOGIN_FAILURES_MAX } from "@red/contract/platform/limits";
import { insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/db/connection";
import type { CodeFault } from "#platform/handlers";
import type { SecretBox } from "#platform/secret-box";
import { recoveryHash, seedPurpose, stepOfCode, typedCode } from "./authenticator.ts";
import { auditOperator, operatorOf } from "./change-operator.ts";
import { insertFailure, lockAttempts, selectFailures } from "./login-failure-sql.ts";
import type { Attempt } from "./login-failure-sql.ts";
import { isPassword } from "./password.ts";
import { useRecoveryCode } from "./recovery-sql.ts";
import { hasSignedInFrom, requireCodesLeft, useTotpStep } from "./operator-sql.ts";
import type { OperatorSecrets } from "./operator-sql.ts";

export interface Failure {
  readonly action: "log_in" | "confirm_code" | "change_password";
  /** Null for an unknown name. That name is not stored, because it may be a password. */
  readonly operator_id: number | null;
  readonly why: "unknown_name" | "disabled" | "wrong_password" | "wrong_code";
  /** True if a wrong code came from an address without a sign-in of this account within 30 days. */
  readonly new_address?: boolean;
}

/** Stores a failure and its audit row. Call this under the lock of the attempt, in a transaction that commits. */
export async function noteFailure(
  tx: Tx,
  actor: Actor,
  attempt: Attempt,
  { action, operator_id, why, new_address = false }: Failure,
): Promise<void> {
  await insertFailure(tx, attempt);
  const { count, minutes } = await selectFailures(tx, attempt);
  const isLocked = count >= LOGIN_FAILURES_MAX;
  await insertRefusal(tx, actor, {
    action,
    object_type: "operator",
    object_id: operator_id,
    after: {
      why,
      failures: count,
      ...(new_address && { new_address }),
      ...(isLocked && { locked_minutes: minutes }),
    },
  });
}

/** Throws `login_locked` after ten failures within 15 minutes. */
export async function requireUnlocked(db: Db, attempt: Attempt): Promise<void> {
  const { minutes } = await selectFailures(db, attempt);
  if (minutes > 0) {
    throw new AppError("login_locked", { minutes });
  }
}

/** Stores a wrong password as a failed sign-in; then `tx` must commit. Throws `login_locked` after ten failures. */
export async function isOwnPassword(tx: Tx, actor: Actor, attempt: Attempt, current: string) {
  await lockAttempts(tx, attempt);
  await requireUnlocked(tx, attempt);
  const { id: operator_id, password_hash } = await operatorOf(tx, attempt);
  const isRight = await isPassword(current, password_hash);
  if (!isRight) {
    const failure = { action: "change_password", operator_id, why: "wrong_password" } as const;
    await noteFailure(tx, actor, attempt, failure);
  }
  return isRight;
}

export interface CodeProof {
  readonly name: string;
  /** Address group of the caller. */
  readonly address: string;
  readonly code?: string | null | undefined;
}

/** The verdict `right` also uses up the code. */
export type CodeVerdict = "right" | CodeFault;

interface Judged {
  readonly verdict: CodeVerdict;
  /** For a wrong code: the failure to store. */
  readonly failure: Failure | null;
}

/**
 * Checks a code of the authenticator or a recovery code. The caller must have locked the operator. Throws
 * `login_codes_locked` for an authenticator code from a new address, after thirty wrong codes from new
 * addresses within an hour.
 */
export async function judgeCode(
  tx: Tx,
  secrets: SecretBox,
  actor: Actor,
  action: Failure["action"],
  { id, name, totp_secret }: OperatorSecrets,
  proof: CodeProof,
  now: Date,
): Promise<Judged> {
  const code = typedCode(proof.code);
  if (code === "") {
    return { verdict: "code_needed", failure: null };
  }
  const hash = recoveryHash(code);
  if (hash !== null && (await useRecoveryCode(tx, id, hash))) {
    await auditOperator(tx, { ...actor, kind: "operator", name }, id, "use_recovery_code");
    return { verdict: "right", failure: null };
  }
  const new_address = !(await hasSignedInFrom(tx, proof));
  if (new_address) {
    await requireCodesLeft(tx, id);
  }
  // Without an authenticator every code is wrong.
  const step =
    totp_secret === null ? null : stepOfCode(secrets.open(seedPurpose(id), totp_secret), code, now);
  if (step === null) {
    const verdict = hash === null ? "code_wrong" : "recovery_wrong";
    return { verdict, failure: { action, operator_id: id, why: "wrong_code", new_address } };
  }
  // A used code is not a guess, so it is rejected without being counted.
  const verdict = (await useTotpStep(tx, id, step)) ? "right" : "code_used";
  return { verdict, failure: null };
}

/**
 * Locks the account of a signed-in operator who sent a code, so that each wrong code counts before the next
 * code is checked. `others` first locks the other operators that the change needs. Throws `login_locked`
 * after ten failures within 15 minutes.
 */
export async function lockCoded(
  tx: Tx,
  attempt: Attempt,
  others: () => Promise<void>,
): Promise<OperatorSecrets> {
  await lockAttempts(tx, attempt);
  await requireUnlocked(tx, attempt);
  await others();
  return await operatorOf(tx, attempt);
}
