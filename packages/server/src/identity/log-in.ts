/**
 * Signing in with password and one-time code (behaviour §1, §9). An attempt is judged under a lock of
 * its account and address, with the failures counted before: however many are in flight, no more
 * than the limit learn whether they were right.
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
  /** Names the session that a success opens: the hash of its access token. */
  readonly token_hash: Buffer;
  /** The session that the same browser has held so far: a success ends it. */
  readonly replaces: Buffer | null;
}

/** How an attempt ends that is neither a wrong password nor locked. */
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

/** Shows the pending seed, made on first sight, until a valid code binds it. */
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
  // A used code was right once: nobody guesses with it, hence it is refused without being counted.
  if (!(await useTotpStep(tx, operator.id, step))) {
    return { kind: "code", msg: "code_used" };
  }
  return await openSession(judging, operator);
}

/** What was wrong with an attempt that got no further than name and password; never told to the caller. */
function whyRefused(operator: OperatorSecrets | null): Failure["why"] {
  if (operator === null) {
    return "unknown_name";
  }
  return operator.disabled ? "disabled" : "wrong_password";
}

/** Errors are handed out instead of thrown, since what was written with them has to stay. */
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
  // The password may have been reset, or the operator disabled, while the hash was worked out.
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
 * Judges one attempt; `now` is the clock of the one-time codes. Throws `login_wrong` for a wrong
 * password, an unknown and a disabled operator alike, `login_locked` after ten failures of this
 * account from this address within 15 minutes, and `too_many_requests` when too many sign in at once.
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
  // Outside of any transaction: a connection is not kept waiting for the hash.
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
