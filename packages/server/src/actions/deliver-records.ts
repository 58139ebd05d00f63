/** Marks physical prizes as handed over (behaviour §6, §11). */
import { changeRecords } from "#actions/change-records";
import type { RecordChange } from "#actions/change-records";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";
import { deliverPayouts } from "#db/payout-change";

/**
 * Marks those among `log_ids` that wait for delivery as delivered, now, and reports the others. A note
 * (a parcel's number, who received it) may go with it.
 */
export async function deliverRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  note: string | null,
): Promise<RecordChange> {
  return await changeRecords(tx, actor, log_ids, {
    action: "deliver_records",
    from: ["waiting_delivery"],
    to: "delivered",
    write: async (taken) => {
      await deliverPayouts(tx, taken, note);
      return { note };
    },
  });
}
