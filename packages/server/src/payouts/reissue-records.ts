/** Re-issue: sends refused payouts again, under the same number (spec §4; behaviour §6). */
import { changeRecords } from "./change-records.ts";
import type { RecordChange } from "./change-records.ts";
import type { Actor } from "#platform/audit";
import { failpoint } from "#platform/failpoint";
import { notifyPayoutWorkers } from "#platform/listen";
import { requeuePayouts } from "./payout-change-sql.ts";
import type { Tx } from "#platform/connection";

export interface Reissue extends RecordChange {
  /** Those of the taken that the wallet is asked about first, since it may have forgotten them. */
  readonly asked: readonly number[];
}

/**
 * Queues the refused ones among `log_ids` again and reports the others. Several operators or a double
 * click re-issue once. Attempts are kept; the next one names the operator. What was first sent
 * `retentionMs` ago is asked about instead, and left to people when the wallet has never seen it.
 */
export async function reissueRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
  retentionMs: number,
): Promise<Reissue> {
  let asked: number[] = [];
  const change = await changeRecords(tx, actor, log_ids, {
    action: "reissue_records",
    from: ["refused"],
    to: "queued",
    write: async (taken) => {
      asked = await requeuePayouts(tx, taken, actor.name, retentionMs);
      await notifyPayoutWorkers(tx);
      failpoint("reissue_written");
      return asked.length === 0 ? {} : { asked };
    },
  });
  return { ...change, asked };
}
