/** Closes payouts that never can be paid (behaviour §6, §11). */
import { changeRecords } from "./change-records.ts";
import type { RecordChange } from "./change-records.ts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { closePayouts } from "./payout-change-sql.ts";

/**
 * Closes those among `log_ids` that were refused, or that wait for people to look, for the reason that
 * the operator gives, and reports the others. They are failed then, and nothing re-issues them; what
 * the wallet's refusal, or the lack of its word, was stays beside the operator's reason.
 */
export async function closeRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  reason: string,
): Promise<RecordChange> {
  return await changeRecords(tx, actor, log_ids, {
    action: "close_records",
    from: ["refused", "check"],
    to: "closed",
    write: async (taken) => {
      await closePayouts(tx, taken, reason);
      return { reason };
    },
  });
}
