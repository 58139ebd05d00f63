/** One-time codes for single actions (behaviour §9). A wrong one counts as a failed sign-in. */
import { AppError } from "@red/contract/errors";
import { seedPurpose, stepOfCode, typedCode } from "./authenticator.ts";
import { noteFailure } from "./note-failure.ts";
import type { SecretBox } from "#platform/secret-box";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { lockAttempts, selectFailures } from "./login-failure-sql.ts";
import { lockOperator, useTotpStep } from "./operator-sql.ts";

export interface CodeProof {
  readonly name: string;
  /** Address group of the caller. */
  readonly address: string;
  readonly code: string | null | undefined;
}

/** `right` uses the code up; the others are the text to answer with code 402. */
export type CodeVerdict = "right" | "code_needed" | "code_wrong" | "code_used";

/**
 * `now` is the clock of the one-time codes. A wrong code is recorded in `tx`, which must commit whatever
 * the verdict. Throws `login_locked` after ten failures within 15 minutes.
 */
export async function confirmCode(
  tx: Tx,
  secrets: SecretBox,
  actor: Actor,
  proof: CodeProof,
  now: Date,
): Promise<CodeVerdict> {
  const code = typedCode(proof.code);
  if (code === "") {
    return "code_needed";
  }
  await lockAttempts(tx, proof);
  const { minutes } = await selectFailures(tx, proof);
  if (minutes > 0) {
    throw new AppError("login_locked", { minutes });
  }
  const operator = await lockOperator(tx, proof.name);
  const sealed = operator?.totp_secret ?? null;
  const step =
    operator === null || sealed === null
      ? null
      : stepOfCode(secrets.open(seedPurpose(operator.id), sealed), code, now);
  if (operator === null || step === null) {
    const operator_id = operator?.id ?? null;
    await noteFailure(tx, actor, proof, { action: "confirm_code", operator_id, why: "wrong_code" });
    return "code_wrong";
  }
  // A used code was right once, so it is no guess: refuse it without counting it.
  return (await useTotpStep(tx, operator.id, step)) ? "right" : "code_used";
}
