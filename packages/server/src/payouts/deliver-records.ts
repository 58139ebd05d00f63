/** Marks physical prizes as handed over (behaviour §6, §11). */
import { changeRecords } from "./change-records.ts";
import type { RecordChange } from "./change-records.ts";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { deliverPayouts } from "./payout-change-sql.ts";

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
