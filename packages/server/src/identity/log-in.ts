/**
 * Signing in with password and one-time code (behaviour §1, §9). Attempts of an account from an address are
 * judged one at a time, with the failures before: however many are in flight, no more than the limit learn
 * whether they were right.
 */
import { AppError } from "@red/contract/errors";
import { newSeed, seedPicture, seedPurpose, stepOfCode, typedCode } from "./authenticator.ts";
import { noteFailure } from "./note-failure.ts";
import type { Failure } from "./note-failure.ts";
import { isPassword } from "./password.ts";
import type { SecretBox } from "#platform/secret-box";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import type { Db, Tx } from "#platform/connection";
import { deleteFailures, lockAttempts, selectFailures } from "./login-failure-sql.ts";
import type { Attempt } from "./login-failure-sql.ts";
import {
  bindPendingSeed,
  lockOperator,
  selectOperator,
  updatePendingSeed,
  useTotpStep,
} from "./operator-sql.ts";
import type { OperatorSecrets } from "./operator-sql.ts";
import { endSession, insertSession } from "./session-sql.ts";

export interface LogIn {
  readonly name: string;
  readonly password: string;
  readonly code: string | null | undefined;
  readonly address: string;
  /** Hash of the access token of the session that a success opens. */
  readonly token_hash: Buffer;
  /** The browser's session so far: a success ends it. */
  readonly replaces: Buffer | null;
}

/** Results other than a wrong password or a lock. */
export type LogInResult =
  | { readonly kind: "signed_in"; readonly name: string }
  | {
      readonly kind: "bind";
      readonly msg: "bind_needed" | "bind_wrong";
      readonly secret: string;
      readonly qr_code: string;
    }
  | { readonly kind: "code"; readonly msg: "code_needed" | "code_wrong" | "code_used" }
  | { readonly kind: "bind_expired" };

interface Judging {
  readonly tx: Tx;
  readonly secrets: SecretBox;
  readonly attempt: Attempt;
  readonly input: LogIn;
  readonly actor: Actor;
  readonly now: Date;
}

async function fail(
  { tx, attempt, actor }: Judging,
  operator: OperatorSecrets | null,
  why: Failure["why"],
): Promise<void> {
  const operator_id = operator?.id ?? null;
  await noteFailure(tx, actor, attempt, { action: "log_in", operator_id, why });
}

async function openSession(judging: Judging, operator: OperatorSecrets): Promise<LogInResult> {
  const { tx, attempt, input, actor } = judging;
  if (input.replaces !== null) {
    await endSession(tx, input.replaces, "logout");
  }
  await insertSession(tx, { token_hash: input.token_hash, operator_id: operator.id });
  await deleteFailures(tx, attempt);
  await insertAudit(tx, actorOf(actor, operator), {
    action: "log_in",
    object_type: "operator",
    object_id: operator.id,
  });
  return { kind: "signed_in", name: operator.name };
}

function actorOf(caller: Actor, operator: OperatorSecrets): Actor {
  return { ...caller, kind: "operator", name: operator.name };
}

/** Shows the pending seed, making one if needed, until a valid code binds it. */
async function bind(judging: Judging, operator: OperatorSecrets): Promise<LogInResult> {
  const { tx, secrets, input, actor, now } = judging;
  if (now > operator.bind_until) {
    return { kind: "bind_expired" };
  }
  const purpose = seedPurpose(operator.id);
  const secret =
    operator.totp_pending === null ? newSeed() : secrets.open(purpose, operator.totp_pending);
  if (operator.totp_pending === null) {
    await updatePendingSeed(tx, operator.id, secrets.seal(purpose, secret));
  }
  const shown = { kind: "bind", secret, qr_code: seedPicture(secret, operator.name) } as const;
  const code = typedCode(input.code);
  if (code === "") {
    return { ...shown, msg: "bind_needed" };
  }
  const step = stepOfCode(secret, code, now);
  if (step === null) {
    await fail(judging, operator, "wrong_code");
    return { ...shown, msg: "bind_wrong" };
  }
  await bindPendingSeed(tx, operator.id);
  await useTotpStep(tx, operator.id, step);
  await insertAudit(tx, actorOf(actor, operator), {
    action: "bind_authenticator",
    object_type: "operator",
    object_id: operator.id,
  });
  return await openSession(judging, operator);
}

async function askCode(
  judging: Judging,
  operator: OperatorSecrets,
  sealed: Buffer,
): Promise<LogInResult> {
  const { tx, secrets, input, now } = judging;
  const code = typedCode(input.code);
  if (code === "") {
    return { kind: "code", msg: "code_needed" };
  }
  const step = stepOfCode(secrets.open(seedPurpose(operator.id), sealed), code, now);
  if (step === null) {
    await fail(judging, operator, "wrong_code");
    return { kind: "code", msg: "code_wrong" };
  }
  // A used code was right once, so it is no guess: refuse it without counting it.
  if (!(await useTotpStep(tx, operator.id, step))) {
    return { kind: "code", msg: "code_used" };
  }
  return await openSession(judging, operator);
}

/** For the audit log, never for the caller. */
function whyRefused(operator: OperatorSecrets | null): Failure["why"] {
  if (operator === null) {
    return "unknown_name";
  }
  return operator.disabled ? "disabled" : "wrong_password";
}

/** Returns errors instead of throwing them, so that what was written with them commits. */
async function judge(
  judging: Judging,
  verified: OperatorSecrets | null,
): Promise<LogInResult | AppError> {
  const { tx, attempt } = judging;
  await lockAttempts(tx, attempt);
  const { minutes } = await selectFailures(tx, attempt);
  if (minutes > 0) {
    return new AppError("login_locked", { minutes });
  }
  const operator = await lockOperator(tx, attempt.name);
  // The password or the operator may have changed while the hash was computed.
  const isStillRight =
    operator !== null &&
    verified !== null &&
    operator.password_hash === verified.password_hash &&
    !operator.disabled;
  if (!isStillRight) {
    await fail(judging, operator, whyRefused(operator));
    return new AppError("login_wrong");
  }
  return operator.totp_secret === null
    ? await bind(judging, operator)
    : await askCode(judging, operator, operator.totp_secret);
}

/**
 * `now` is the clock of the one-time codes. Throws `login_wrong` for a wrong password, an unknown and a
 * disabled operator alike, `login_locked` after ten failures of this account from this address within 15
 * minutes, and `too_many_requests` when too many sign in at once.
 */
export async function logIn(
  db: Db,
  secrets: SecretBox,
  actor: Actor,
  input: LogIn,
  now: Date,
): Promise<LogInResult> {
  const attempt: Attempt = { name: input.name, address: input.address };
  const { minutes } = await selectFailures(db, attempt);
  if (minutes > 0) {
    throw new AppError("login_locked", { minutes });
  }
  // Outside of a transaction: the hash must not hold a connection.
  const operator = await selectOperator(db, input.name);
  const isRight = await isPassword(input.password, operator?.password_hash ?? null);
  const result = await inTransaction(db, (tx) =>
    judge({ tx, secrets, attempt, input, actor, now }, isRight ? operator : null),
  );
  if (result instanceof AppError) {
    throw result;
  }
  return result;
}
