/** Resets passwords and authenticators; both end the operator's sessions. */
import { generatePassword, hashPassword } from "./password.ts";
import { operatorOf } from "./operator-of.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import type { Db, Tx } from "#platform/connection";
import { clearAuthenticator, updatePassword } from "./operator-sql.ts";
import { endSessionsOf } from "./session-sql.ts";

export interface ResetPassword {
  readonly name: string;
  /** The generated one-time password; null when the caller gave one. */
  readonly password: string | null;
  readonly sessions_ended: number;
}

/**
 * Replaces the password; generates one if none is given. The authenticator stays bound: a reset never skips
 * the second factor. Throws `bad_input` when there is no such operator or the password breaks the rule.
 */
export async function resetPassword(
  db: Db,
  actor: Actor,
  input: { readonly name: string; readonly password: string | null },
): Promise<ResetPassword> {
  const generated = input.password === null ? generatePassword() : null;
  const password_hash = await hashPassword(input.password ?? generated ?? "");
  return await inTransaction(db, async (tx) => {
    const { id, name } = await operatorOf(tx, input.name);
    await updatePassword(tx, id, password_hash);
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
export async function resetTotp(
  tx: Tx,
  actor: Actor,
  input: { readonly name: string },
): Promise<{ name: string; sessions_ended: number }> {
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
