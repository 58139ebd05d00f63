/** Closes refused payouts that never can be paid (behaviour §6, §11). */
import { changeRecords } from "#actions/change-records";
import type { RecordChange } from "#actions/change-records";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";
import { closePayouts } from "#db/payout";

/**
 * Closes the refused ones among `log_ids` for the reason that the operator gives, and reports the
 * others. They stay failed, with the wallet's reason beside the operator's; nothing re-issues them.
 */
export async function closeRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  reason: string,
): Promise<RecordChange> {
  return await changeRecords(tx, actor, log_ids, {
    action: "close_records",
    from: "refused",
    to: "closed",
    words: { reason },
    write: (taken) => closePayouts(tx, taken, reason),
  });
}
