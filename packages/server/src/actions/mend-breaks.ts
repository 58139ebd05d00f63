/** Ends differences between the wallet's statement and our payouts, with a reason (behaviour §6). */
import type { ErrorKey } from "@red/contract/errors";
import { formatCents } from "@red/contract/money";
import { PAYOUT_SCHEDULE, settlePayout } from "#actions/payout-rules";
import { insertAudit } from "#db/audit";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";
import { lockPayoutByTransSn, updatePayouts } from "#db/payout";
import { insertHeardAttempt } from "#db/payout-attempt";
import { endBreaks, lockBreaks, selectEntryRef } from "#db/reconciliation";
import type { BreakRow } from "#db/reconciliation";

/** A break that was not ended, and why. */
export interface NotEnded {
  readonly id: number;
  readonly key: ErrorKey;
}

export interface MendedBreaks {
  readonly ended: readonly number[];
  readonly refused: readonly NotEnded[];
}

/** Takes "paid" over from the statement, as any other word of the wallet; false: it is paid already. */
async function adopt(tx: Tx, one: BreakRow): Promise<boolean> {
  const payout = await lockPayoutByTransSn(tx, one.trans_sn);
  if (payout === null) {
    return false;
  }
  const wallet_ref = await selectEntryRef(tx, one.trans_sn);
  const heard = {
    by: "callback",
    word: { kind: "paid", wallet_ref },
    // "paid" is true whenever it comes: how often it was sent does not matter for it.
    sent: 1,
    isReissued: payout.requested_by !== null,
  } as const;
  const change = settlePayout(payout, heard, payout.now, PAYOUT_SCHEDULE);
  if (change === null) {
    return false;
  }
  const amount = formatCents(one.their_amount_cents ?? 0);
  const answer = JSON.stringify({ trans_sn: one.trans_sn, amount, paid_at: one.their_paid_at });
  await insertHeardAttempt(tx, payout.log_id, "statement", "paid", answer);
  await updatePayouts(tx, [{ ...change, log_id: payout.log_id }]);
  return true;
}

/**
 * Ends those of the breaks that are open. "adopted" is for what the wallet has paid and we do not
 * hold for paid, with the same amount and player: it is paid then. "accepted" changes nothing but the
 * break. Each leaves an audit row.
 */
export async function mendBreaks(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  end: "adopted" | "accepted",
  reason: string,
): Promise<MendedBreaks> {
  const wanted = [...new Set(ids)];
  const found = new Map((await lockBreaks(tx, wanted)).map((row) => [row.id, row]));
  const ended: number[] = [];
  const refused: NotEnded[] = [];
  for (const id of wanted) {
    const one = found.get(id);
    if (one === undefined) {
      refused.push({ id, key: "break_not_found" });
    } else if (one.end_kind !== null) {
      refused.push({ id, key: "break_ended" });
    } else if (end === "adopted" && one.kind !== "stale_status") {
      refused.push({ id, key: "break_not_adoptable" });
    } else {
      const isPaidNow = end === "adopted" && (await adopt(tx, one));
      ended.push(id);
      await insertAudit(tx, actor, {
        action: "mend_break",
        object_type: "reconciliation_break",
        object_id: id,
        before: { kind: one.kind, trans_sn: one.trans_sn, our_state: one.our_state },
        after: { end, reason, ...(isPaidNow && { our_state: "paid" }) },
      });
    }
  }
  await endBreaks(tx, ended, { end_kind: end, ended_by: actor.name, reason });
  return { ended, refused };
}
