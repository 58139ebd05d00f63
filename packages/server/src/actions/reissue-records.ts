/** Re-issue: sends refused payouts again, under the same number (spec §4; behaviour §6). */
import type { PayoutState } from "@red/contract/lookups";
import { insertAudit, insertRefusal } from "#db/audit";
import type { Actor } from "#db/audit";
import { lockPayouts, notifyPayoutWorkers, requeuePayouts } from "#db/payout";
import type { Tx } from "#db/connection";

/** A record that was not taken: `state` is null when there is no such record. */
export interface RefusedReissue {
  readonly log_id: number;
  readonly state: PayoutState | null;
}

export interface Reissue {
  /** In the order asked for, each once. */
  readonly reissued: readonly number[];
  readonly refused: readonly RefusedReissue[];
}

/**
 * Queues the refused ones among `log_ids` again and reports the others, each with its state. The rows
 * are locked in order before they are looked at: of two operators at once, the second finds them
 * queued. Attempts are kept; the next one names the operator.
 */
export async function reissueRecords(
  tx: Tx,
  actor: Actor,
  log_ids: readonly number[],
): Promise<Reissue> {
  const asked = [...new Set(log_ids)];
  const locked = await lockPayouts(tx, asked);
  const states = new Map(locked.map(({ log_id, state }) => [log_id, state]));
  const reissued = asked.filter((log_id) => states.get(log_id) === "refused");
  const refused = asked
    .filter((log_id) => states.get(log_id) !== "refused")
    .map((log_id) => ({ log_id, state: states.get(log_id) ?? null }));
  const entry = {
    action: "reissue_records",
    object_type: "payout",
    object_id: asked.length === 1 ? (asked[0] ?? null) : null,
  };
  if (reissued.length === 0) {
    await insertRefusal(tx, actor, { ...entry, before: { refused } });
    return { reissued, refused };
  }
  await requeuePayouts(tx, reissued, actor.name);
  await notifyPayoutWorkers(tx);
  await insertAudit(tx, actor, {
    ...entry,
    before: { log_ids: reissued, state: "refused" },
    after: { log_ids: reissued, state: "queued", refused },
  });
  return { reissued, refused };
}
