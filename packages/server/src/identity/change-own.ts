/**
 * Operators change their own password, authenticator and recovery codes (behaviour §9). A wrong code rolls
 * back the change.
 */
import { AppError } from "@red/contract/platform/errors";
import { RECOVERY_CODES } from "@red/contract/identity/operators";
import type { SecretBox } from "#platform/secret-box";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import type { Operator } from "#platform/handlers";
import {
  newRecoveryCode,
  newSeed,
  recoveryHash,
  seedPicture,
  seedPurpose,
  stepOfCode,
  typedCode,
} from "./authenticator.ts";
import { auditOperator, operatorOf } from "./change-operator.ts";
import { bindPendingSeed, updateOperator, useTotpStep } from "./operator-sql.ts";
import { hashPassword } from "./password.ts";
import { deleteRecoveryCodes, insertRecoveryCodes } from "./recovery-sql.ts";
import { endSessionsOf } from "./session-sql.ts";

type Self = Pick<Operator, "id" | "token_hash">;

/**
 * Changes the password and ends the other sessions. Throws `bad_input` or `password_easy` if the password
 * breaks a rule.
 */
export async function changeOwnPassword(tx: Tx, actor: Actor, self: Self, password: string) {
  await updateOperator(tx, self.id, { password_hash: await hashPassword(password, actor.name) });
  const sessions_ended = await endSessionsOf(tx, self.id, { keep: self.token_hash });
  await auditOperator(tx, actor, self.id, "change_password", { after: { sessions_ended } });
}

/** Shows a new seed. The current authenticator stays valid until a code of the new seed binds the new one. */
export async function showNewSeed(tx: Tx, actor: Actor, secrets: SecretBox, self: Self) {
  const { name } = await operatorOf(tx, self);
  const secret = newSeed();
  const totp_pending = secrets.seal(seedPurpose(self.id), secret);
  await updateOperator(tx, self.id, { totp_pending });
  await auditOperator(tx, actor, self.id, "show_seed");
  return { secret, qr_code: seedPicture(secret, name) };
}

/**
 * Binds the new seed and ends the other sessions. Throws `seed_not_shown` without a seed, and
 * `seed_code_wrong` for a code of another seed.
 */
export async function bindNewSeed(
  tx: Tx,
  actor: Actor,
  secrets: SecretBox,
  self: Self,
  code: string | null | undefined,
): Promise<void> {
  const { totp_pending } = await operatorOf(tx, self);
  if (totp_pending === null) {
    throw new AppError("seed_not_shown");
  }
  const seed = secrets.open(seedPurpose(self.id), totp_pending);
  const step = stepOfCode(seed, typedCode(code), new Date());
  if (step === null) {
    throw new AppError("seed_code_wrong");
  }
  await bindPendingSeed(tx, self.id);
  await useTotpStep(tx, self.id, step);
  const sessions_ended = await endSessionsOf(tx, self.id, { keep: self.token_hash });
  await auditOperator(tx, actor, self.id, "bind_authenticator", { after: { sessions_ended } });
}

/** Replaces the recovery codes with ten new codes, which are shown once. */
export async function renewRecoveryCodes(tx: Tx, actor: Actor, self: Self): Promise<string[]> {
  await operatorOf(tx, self);
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await deleteRecoveryCodes(tx, self.id);
  const hashes = codes.flatMap((code) => recoveryHash(code) ?? []);
  await insertRecoveryCodes(tx, self.id, hashes);
  await auditOperator(tx, actor, self.id, "renew_recovery_codes");
  return codes;
}
