/** Re-issue: sends refused payouts again, under the same number (spec §4; behaviour §6). */
import { changeRecords } from "#actions/change-records";
import type { RecordChange } from "#actions/change-records";
import type { Actor } from "#db/audit";
import { notifyPayoutWorkers, requeuePayouts } from "#db/payout";
import type { Tx } from "#db/connection";

/**
 * Queues the refused ones among `log_ids` again and reports the others. Several operators or a double
 * click re-issue once. Attempts are kept; the next one names the operator.
 */
export async function reissueRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
): Promise<RecordChange> {
  return await changeRecords(tx, actor, log_ids, {
    action: "reissue_records",
    from: "refused",
    to: "queued",
    write: async (taken) => {
      await requeuePayouts(tx, taken, actor.name);
      await notifyPayoutWorkers(tx);
    },
  });
}
