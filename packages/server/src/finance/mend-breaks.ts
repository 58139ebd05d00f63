/** Closes differences between the wallet's statement and our payouts, with a reason (behaviour §6). */
import type { ErrorKey } from "@red/contract/platform/errors";
import { formatCents } from "@red/contract/platform/money";
import { PAYOUT_SCHEDULE, settlePayout } from "#payouts/payout-rules";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { insertHeardAttempts, lockPayouts, updatePayouts } from "#payouts/payout-sql";
import type { HeardWord, PayoutUpdate } from "#payouts/payout-sql";
import { endBreaks, lockBreaks } from "./reconciliation-sql.ts";
import type { LockedBreak } from "./reconciliation-sql.ts";

export interface NotEnded {
  readonly id: number;
  readonly key: ErrorKey;
}

export interface MendedBreaks {
  readonly ended: readonly number[];
  readonly refused: readonly NotEnded[];
}

/**
 * Treats a payment in the statement like any other "paid" response of the wallet. Returns the payouts that become paid.
 */
async function adopt(tx: Tx, breaks: readonly LockedBreak[]): Promise<ReadonlySet<number | null>> {
  const breakOf = new Map(breaks.map((row) => [row.log_id, row]));
  const heard: HeardWord[] = [];
  const updates: PayoutUpdate[] = [];
  const log_ids = breaks.flatMap(({ log_id }) => log_id ?? []);
  for (const payout of await lockPayouts(tx, log_ids)) {
    const { log_id } = payout;
    const row = breakOf.get(log_id);
    const word = { kind: "paid", wallet_ref: row?.wallet_ref ?? null } as const;
    const change = settlePayout(payout, { by: "statement", word }, payout.now, PAYOUT_SCHEDULE);
    if (change !== null) {
      const amount = formatCents(row?.their_amount_cents ?? 0);
      const paid_at = row?.their_paid_at;
      heard.push({ log_id, answer: JSON.stringify({ trans_sn: row?.trans_sn, amount, paid_at }) });
      updates.push({ ...change, log_id });
    }
  }
  await insertHeardAttempts(tx, "statement", "paid", heard);
  await updatePayouts(tx, updates);
  return new Set(updates.map(({ log_id }) => log_id));
}

/**
 * Ends the open breaks among `ids`. "adopted" marks a payout as paid if only the wallet shows it as paid,
 * with the same amount and player; "accepted" changes only the break. Each ended break gets an audit row.
 */
export async function mendBreaks(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  end: "adopted" | "accepted",
  reason: string,
): Promise<MendedBreaks> {
  const wanted = [...new Set(ids)];
  const locked = new Map((await lockBreaks(tx, wanted)).map((row) => [row.id, row]));
  const ending: LockedBreak[] = [];
  const refused: NotEnded[] = [];
  for (const id of wanted) {
    const row = locked.get(id);
    if (row === undefined) {
      refused.push({ id, key: "break_not_found" });
    } else if (row.end_kind !== null) {
      refused.push({ id, key: "break_ended" });
    } else if (end === "adopted" && row.kind !== "stale_status") {
      refused.push({ id, key: "break_not_adoptable" });
    } else {
      ending.push(row);
    }
  }
  const paid = end === "adopted" ? await adopt(tx, ending) : new Set();
  const audits = ending.map(({ id, kind, trans_sn, our_state, log_id }) => ({
    action: "mend_break",
    object_type: "reconciliation_break",
    object_id: id,
    before: { kind, trans_sn, our_state },
    after: { kind, trans_sn, end, reason, ...(paid.has(log_id) && { our_state: "paid" }) },
  }));
  await insertAudit(tx, actor, ...audits);
  const ended = ending.map(({ id }) => id);
  await endBreaks(tx, ended, { end_kind: end, ended_by: actor.name, reason });
  return { ended, refused };
}
