/** Asks the wallet again about payouts that people were to look at (behaviour §6, §11). */
import { changeRecords } from "./change-records.ts";
import type { RecordChange } from "./change-records.ts";
import type { Actor } from "#platform/audit";
import { notifyPayoutWorkers } from "#platform/listen";
import { askPayoutsAgain } from "./payout-change-sql.ts";
import type { Tx } from "#platform/connection";

/**
 * Has those among `log_ids` that wait for people asked about again, at once and for another day, and
 * reports the others. Attempts are kept; the next one names the operator.
 */
export async function askRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
): Promise<RecordChange> {
  return await changeRecords(tx, actor, log_ids, {
    action: "ask_records",
    from: ["check"],
    to: "unknown",
    write: async (taken) => {
      await askPayoutsAgain(tx, taken, actor.name);
      await notifyPayoutWorkers(tx);
      return {};
    },
  });
}
