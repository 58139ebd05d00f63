/** What operators change of payouts that their action has locked (behaviour §6). */
import type { CheckReason, ContestedState, PayoutState } from "@red/contract/lookups";
import { sql } from "kysely";
import type { Tx } from "#platform/connection";

/** Payouts that an operator sets going again; their history starts anew. */
function startAnew(tx: Tx, log_ids: readonly number[], operator: string) {
  return tx
    .updateTable("payout")
    .set({ requested_by: operator })
    .set({ asked: 0, never_seen_at: null, resent: 0 })
    .set({ next_at: sql<Date>`clock_timestamp()`, updated_at: sql<Date>`clock_timestamp()` })
    .where("log_id", "=", sql<number>`any(${log_ids}::bigint[])`);
}

/**
 * Queues locked, refused payouts again in the name of an operator. Those that were first sent
 * `retentionMs` ago become unknown instead, to be asked about; answers them.
 */
export async function requeuePayouts(
  tx: Tx,
  log_ids: readonly number[],
  operator: string,
  retentionMs: number,
): Promise<number[]> {
  const isOld = sql<boolean>`coalesce(first_sent_at
    <= clock_timestamp() - ${retentionMs}::float8 * interval '1 ms', false)`;
  const rows = await startAnew(tx, log_ids, operator)
    .set({
      state: sql<PayoutState>`case when ${isOld} then 'unknown' else 'queued' end`,
      unknown_since: sql<Date>`case when ${isOld} then clock_timestamp() end`,
      contested_state: sql<ContestedState>`case when ${isOld} then 'refused' end`,
      fail_reason: sql<string>`case when ${isOld} then fail_reason end`,
    })
    .returning(["log_id", "state"])
    .execute();
  return rows.filter(({ state }) => state === "unknown").map(({ log_id }) => log_id);
}

/**
 * Has locked payouts that people were to look at asked about again, at once and for another day. What is
 * in doubt keeps the reasons of the state that it may go back to.
 */
export async function askPayoutsAgain(
  tx: Tx,
  log_ids: readonly number[],
  operator: string,
): Promise<void> {
  await startAnew(tx, log_ids, operator)
    .set({
      state: "unknown",
      unknown_since: sql<Date>`clock_timestamp()`,
      check_reason: sql<CheckReason>`contested_check_reason`,
    })
    .execute();
}

/** Marks locked, waiting payouts of physical prizes as delivered, now. */
export async function deliverPayouts(
  tx: Tx,
  log_ids: readonly number[],
  note: string | null,
): Promise<void> {
  await tx
    .updateTable("payout")
    .set({ state: "delivered", note, paid_at: sql<Date>`clock_timestamp()` })
    .set({ updated_at: sql<Date>`clock_timestamp()` })
    .where("log_id", "=", sql<number>`any(${log_ids}::bigint[])`)
    .execute();
}

/**
 * Closes locked payouts that were refused or wait for people; why they were stays, the operator's
 * reason is the note.
 */
export async function closePayouts(
  tx: Tx,
  log_ids: readonly number[],
  note: string,
): Promise<void> {
  await tx
    .updateTable("payout")
    .set({ state: "closed", contested_state: null, contested_check_reason: null, note })
    .set({ updated_at: sql<Date>`clock_timestamp()` })
    .where("log_id", "=", sql<number>`any(${log_ids}::bigint[])`)
    .execute();
}
