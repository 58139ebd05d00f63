/**
 * Signing in with password and one-time code (behaviour §1, §9). Attempts of one account from one address
 * are checked one after another, and each check includes the earlier failures. So parallel attempts cannot
 * exceed the limit of guesses.
 */
import { AppError } from "@red/contract/platform/errors";
import { newSeed, seedPicture, seedPurpose, stepOfCode, typedCode } from "./authenticator.ts";
import { auditOperator } from "./change-operator.ts";
import { judgeCode, noteFailure, requireUnlocked } from "./confirm-code.ts";
import type { CodeProof, CodeVerdict, Failure } from "./confirm-code.ts";
import { isPassword } from "./password.ts";
import type { SecretBox } from "#platform/secret-box";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { limitConcurrency } from "#platform/concurrency";
import { deleteFailures, lockAttempts } from "./login-failure-sql.ts";
import {
  bindPendingSeed,
  hasSignedInFrom,
  lockOperator,
  selectOperator,
  updateOperator,
  useTotpStep,
} from "./operator-sql.ts";
import type { OperatorSecrets } from "./operator-sql.ts";
import { endSession, insertSession } from "./session-sql.ts";

export interface LogIn extends CodeProof {
  readonly password: string;
  /** Hash of the access token for the session that a successful sign-in opens. */
  readonly token_hash: Buffer;
  /** Earlier sessions of the browser, which a successful sign-in ends. */
  readonly replaces: readonly Buffer[];
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
  | { readonly kind: "code"; readonly msg: Exclude<CodeVerdict, "right"> }
  | { readonly kind: "bind_expired" };

interface Judging {
  readonly tx: Tx;
  readonly secrets: SecretBox;
  readonly input: LogIn;
  readonly actor: Actor;
  readonly now: Date;
}

async function fail(
  { tx, input, actor }: Judging,
  operator: OperatorSecrets | null,
  why: Failure["why"],
): Promise<void> {
  const operator_id = operator?.id ?? null;
  await noteFailure(tx, actor, input, { action: "log_in", operator_id, why });
}

async function openSession(judging: Judging, operator: OperatorSecrets): Promise<LogInResult> {
  const { tx, input, actor } = judging;
  for (const replaced of input.replaces) {
    await endSession(tx, replaced);
  }
  const { token_hash } = input;
  await insertSession(tx, { token_hash, operator_id: operator.id, address: actor.address });
  await deleteFailures(tx, input);
  await auditOperator(tx, actorOf(actor, operator), operator.id, "log_in");
  return { kind: "signed_in", name: operator.name };
}

function actorOf(caller: Actor, operator: OperatorSecrets): Actor {
  return { ...caller, kind: "operator", name: operator.name };
}

/** Shows the pending seed until a valid code binds it. Creates a seed if there is none. */
async function bind(judging: Judging, operator: OperatorSecrets): Promise<LogInResult> {
  const { tx, secrets, input, actor, now } = judging;
  if (now > operator.bind_until) {
    return { kind: "bind_expired" };
  }
  const purpose = seedPurpose(operator.id);
  const secret =
    operator.totp_pending === null ? newSeed() : secrets.open(purpose, operator.totp_pending);
  if (operator.totp_pending === null) {
    const totp_pending = secrets.seal(purpose, secret);
    await updateOperator(tx, operator.id, { totp_pending });
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
  await auditOperator(tx, actorOf(actor, operator), operator.id, "bind_authenticator");
  return await openSession(judging, operator);
}

async function askCode(judging: Judging, operator: OperatorSecrets): Promise<LogInResult> {
  const { tx, secrets, input, actor, now } = judging;
  const { verdict, failure } = await judgeCode(tx, secrets, actor, "log_in", operator, input, now);
  if (verdict === "right") {
    return await openSession(judging, operator);
  }
  await (failure && noteFailure(tx, actor, input, failure));
  return { kind: "code", msg: verdict };
}

/** Returns the reason for the audit log. The caller never sees it. */
function whyRefused(operator: OperatorSecrets | null): Failure["why"] {
  if (operator === null) {
    return "unknown_name";
  }
  return operator.disabled ? "disabled" : "wrong_password";
}

/** Returns `login_wrong` instead of throwing it, so that the stored failure is committed. */
async function judge(
  judging: Judging,
  verified: OperatorSecrets | null,
): Promise<LogInResult | AppError> {
  const { tx, input } = judging;
  await lockAttempts(tx, input);
  await requireUnlocked(tx, input);
  const operator = await lockOperator(tx, input.name);
  // The password or the operator may have changed while the hash was computed.
  const isStillRight =
    verified !== null && operator?.password_hash === verified.password_hash && !operator.disabled;
  if (!isStillRight) {
    await fail(judging, operator, whyRefused(operator));
    return new AppError("login_wrong");
  }
  return operator.totp_secret === null
    ? await bind(judging, operator)
    : await askCode(judging, operator);
}

/** Sign-ins from new addresses have a separate queue, so that known addresses do not wait for them. */
const strangersInTurn = limitConcurrency(
  2,
  256,
  () => new AppError("too_many_requests", { seconds: 5 }),
);

/**
 * `now` is the clock for one-time codes. Throws `login_wrong` alike for a wrong password, an unknown and a
 * disabled operator; `login_locked` after ten failures of this account from this address within 15 minutes;
 * `login_codes_locked` as `judgeCode`; and `too_many_requests` if too many callers sign in at once.
 */
export async function logIn(
  db: Db,
  secrets: SecretBox,
  actor: Actor,
  input: LogIn,
  now: Date,
): Promise<LogInResult> {
  const judged = async () => {
    await requireUnlocked(db, input);
    // The hash is computed outside of a transaction, so that it does not occupy a connection.
    const operator = await selectOperator(db, input.name);
    const isRight = await isPassword(input.password, operator?.password_hash ?? null);
    return await inTransaction(db, (tx) =>
      judge({ tx, secrets, input, actor, now }, isRight ? operator : null),
    );
  };
  const isKnown = await hasSignedInFrom(db, input);
  const result = await (isKnown ? judged() : strangersInTurn(judged));
  if (result instanceof AppError) {
    throw result;
  }
  return result;
}
