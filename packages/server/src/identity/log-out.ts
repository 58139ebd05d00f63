/** Signing out: the session ends at once, on every server process. */
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { endSession } from "./session-sql.ts";

/** Of two calls at once, the later one finds the session ended, harmlessly. */
export async function logOut(
  tx: Tx,
  actor: Actor,
  session: { readonly operator_id: number; readonly token_hash: Buffer },
): Promise<void> {
  if (await endSession(tx, session.token_hash, "logout")) {
    await insertAudit(tx, actor, {
      action: "log_out",
      object_type: "operator",
      object_id: session.operator_id,
    });
  }
}
