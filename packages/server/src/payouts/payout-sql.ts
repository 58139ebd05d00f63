/**
 * Locks payouts and stores their changes, which come from the wallet's answers or from operators (behaviour §6).
 * Payouts are locked in log_id order, so two transactions cannot deadlock.
 */
import type { CheckReason, ContestedState, PayoutState } from "@red/contract/platform/codes";
import { sql } from "kysely";
import pg from "pg";
import type { ClaimedPayout } from "./payout-claim-sql.ts";
import type { PayoutChange, PayoutFacts } from "./payout-rules.ts";
import type { WalletAnswer } from "./wallet-client.ts";
import { countOf, stateList } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import { payoutDue } from "#players/exclusion-sql";

/** A payout that this transaction has locked, with the database's time of the lock. */
export interface LockedPayout extends PayoutFacts {
  readonly log_id: number;
  readonly amount_cents: number;
  readonly fence: number;
  readonly requested_by: string | null;
  readonly now: Date;
}

function lockColumns(tx: Tx) {
  return tx
    .selectFrom("payout")
    .select(["log_id", "state", "amount_cents", "fence", "unknown_since", "asked"])
    .select(["never_seen_at", "resent", "requested_by", "first_sent_at"])
    .select(["contested_state", "contested_check_reason", "check_reason", "fail_reason"])
    .select(
      sql<boolean>`(select y.erased_at is not null from player y
        where y.player_key = payout.player_key)`.as("is_erased"),
    )
    .select(sql<Date>`clock_timestamp()`.as("now"))
    .orderBy("log_id")
    .forUpdate();
}

/** Locks the payouts that exist among `log_ids`. The lock order is log_id order. */
export async function lockPayouts(tx: Tx, log_ids: readonly number[]): Promise<LockedPayout[]> {
  return await lockColumns(tx)
    .where("log_id", "=", sql<number>`any(${log_ids}::bigint[])`)
    .execute();
}

/**
 * Locks the player before the payout, as erasing does. So the player cannot be erased before this transaction writes.
 */
export async function lockPayoutByTransSn(tx: Tx, trans_sn: string): Promise<LockedPayout | null> {
  await sql`
    select from player where player_key = (select player_key from payout where trans_sn = ${trans_sn})
    for share`.execute(tx);
  return (await lockColumns(tx).where("trans_sn", "=", trans_sn).executeTakeFirst()) ?? null;
}

export interface PayoutUpdate extends PayoutChange {
  readonly log_id: number;
}

/** Writes new states of locked payouts and ends their leases. */
export async function updatePayouts(tx: Tx, updates: readonly PayoutUpdate[]): Promise<void> {
  if (updates.length === 0) {
    return;
  }
  await sql`
    update payout p
    set state = x.state, lease_until = null, requested_by = null,
      unknown_since = x.unknown_since, asked = x.asked, never_seen_at = x.never_seen_at,
      resent = x.resent, contested_state = x.contested_state, check_reason = x.check_reason,
      contested_check_reason = x.contested_check_reason, fail_reason = x.fail_reason,
      wallet_ref = x.wallet_ref, paid_at = x.paid_at, updated_at = clock_timestamp(),
      next_at = case x.state when 'queued' then ${payoutDue(sql`p.player_key`)} else x.next_at end
    from json_to_recordset(${JSON.stringify(updates)}::json) as x (log_id bigint, state text,
      next_at timestamptz, unknown_since timestamptz, asked integer, never_seen_at timestamptz,
      resent integer, contested_state text, contested_check_reason text, check_reason text,
      fail_reason text, wallet_ref text, paid_at timestamptz)
    where p.log_id = x.log_id`.execute(tx);
}

function change(tx: Tx, log_ids: readonly number[]) {
  return tx
    .updateTable("payout")
    .set({ updated_at: sql<Date>`clock_timestamp()` })
    .where("log_id", "=", sql<number>`any(${log_ids}::bigint[])`);
}

/** Resets the counters that the payout rules read, because an operator requested a new send or query. */
function resetCounts(tx: Tx, log_ids: readonly number[], operator: string) {
  const counts = { asked: 0, never_seen_at: null, resent: 0 };
  return change(tx, log_ids).set({ ...counts, requested_by: operator });
}

/**
 * Queues locked, refused payouts again for an operator. While the player's payouts are held, these payouts are
 * held too. A payout first sent `retentionMs` ago or earlier becomes unknown instead, and the wallet is queried;
 * returns the ids of these unknown payouts.
 */
export async function requeuePayouts(
  tx: Tx,
  log_ids: readonly number[],
  operator: string,
  retentionMs: number,
): Promise<number[]> {
  const isOld = sql<boolean>`coalesce(first_sent_at
    <= clock_timestamp() - ${retentionMs}::float8 * interval '1 ms', false)`;
  const rows = await resetCounts(tx, log_ids, operator)
    .set({
      state: sql<PayoutState>`case when ${isOld} then 'unknown' else 'queued' end`,
      next_at: sql<Date>`case when ${isOld} then clock_timestamp()
        else ${payoutDue(sql`payout.player_key`)} end`,
      unknown_since: sql<Date>`case when ${isOld} then clock_timestamp() end`,
      contested_state: sql<ContestedState>`case when ${isOld} then 'refused' end`,
      fail_reason: sql<string>`case when ${isOld} then fail_reason end`,
    })
    .returning(["log_id", "state"])
    .execute();
  return rows.filter(({ state }) => state === "unknown").map(({ log_id }) => log_id);
}

/** Returns the total cost in cents of the prizes of these records. */
export async function selectSumOf(tx: Tx, log_ids: readonly number[]): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(award_price_cents), 0)::bigint as cents from draw_record
    where id = any(${log_ids}::bigint[])`.execute(tx);
  return rows[0]?.cents ?? 0;
}

/**
 * Makes locked payouts in the state "check" unknown and due at once; the wallet is then queried for another day.
 * A contested payout keeps the check reason of the state that it may return to.
 */
export async function askPayoutsAgain(
  tx: Tx,
  log_ids: readonly number[],
  operator: string,
): Promise<void> {
  await resetCounts(tx, log_ids, operator)
    .set({
      state: "unknown",
      next_at: sql<Date>`clock_timestamp()`,
      unknown_since: sql<Date>`clock_timestamp()`,
      check_reason: sql<CheckReason>`contested_check_reason`,
    })
    .execute();
}

export async function deliverPayouts(
  tx: Tx,
  log_ids: readonly number[],
  note: string | null,
): Promise<void> {
  const paid_at = sql<Date>`clock_timestamp()`;
  await change(tx, log_ids).set({ state: "delivered", note, paid_at }).execute();
}

/**
 * Closes locked payouts that are refused or wait for a manual check. They keep their old reason, and the
 * operator's reason is stored as the note.
 */
export async function closePayouts(
  tx: Tx,
  log_ids: readonly number[],
  note: string,
): Promise<void> {
  const undisputed = { contested_state: null, contested_check_reason: null };
  await change(tx, log_ids)
    .set({ ...undisputed, state: "closed", note })
    .execute();
}

/**
 * Makes every payout unknown about which the worker would call the wallet, for example after a restore. So the
 * worker queries the wallet before it sends anything. Returns the number of changed payouts.
 */
export async function doubtPayouts(tx: Tx): Promise<number> {
  const { rows } = await sql<{ doubted: number }>`
    with doubted as (
      update payout
      set state = 'unknown', lease_until = null, next_at = now(), fence = fence + 1,
        unknown_since = clock_timestamp(), asked = 0, never_seen_at = null,
        updated_at = clock_timestamp()
      where state in (${stateList(({ isCalled }) => isCalled)})
      returning log_id
    )
    select count(*) as doubted from doubted`.execute(tx);
  return rows[0]?.doubted ?? 0;
}

/** Returns whether the data caused the error. Such an error repeats on every retry; other errors may be temporary. */
export function isDataFault(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && /^2[23]/.test(fault.code ?? "");
}

/** Inserts attempts that start now. Every attempt is kept for later reading. */
export async function insertAttempts(
  tx: Tx,
  attempts: readonly (Pick<ClaimedPayout, "log_id" | "no" | "kind" | "operator"> & {
    readonly request: string;
  })[],
): Promise<void> {
  if (attempts.length > 0) {
    // All rows go in one JSON value: the SQL text stays constant, so the database prepares it only once.
    await sql`
      insert into payout_attempt (log_id, no, kind, operator, request)
      select log_id, no, kind, operator, request
      from json_to_recordset(${JSON.stringify(attempts)}::json) as x (log_id bigint, no integer,
        kind text, operator text, request text)`.execute(tx);
  }
}

/** Stores the outcomes of attempts, and marks an attempt whose lease expired before its answer. */
export async function finishAttempts(
  tx: Tx,
  attempts: readonly (Pick<WalletAnswer, "duration_ms" | "http_status" | "answer"> & {
    readonly log_id: number;
    readonly no: number;
    readonly outcome: string;
  })[],
): Promise<void> {
  await sql`
    update payout_attempt a
    set outcome = case a.outcome
          when 'lease expired' then x.outcome || ', after its lease expired' else x.outcome end,
      duration_ms = x.duration_ms, http_status = x.http_status, answer = x.answer
    from json_to_recordset(${JSON.stringify(attempts)}::json) as x (log_id bigint, no integer,
      outcome text, duration_ms integer, http_status integer, answer text)
    where a.log_id = x.log_id and a.no = x.no`.execute(tx);
}

export interface HeardWord {
  readonly log_id: number;
  readonly answer: string | null;
}

/**
 * Stores results that came without a query, for example by callback. Each result becomes the next attempt of its
 * locked payout.
 */
export async function insertHeardAttempts(
  tx: Tx,
  kind: "callback" | "statement",
  outcome: string,
  heard: readonly HeardWord[],
): Promise<void> {
  await sql`
    with counted as (
      update payout p set attempts = p.attempts + 1
      from json_to_recordset(${JSON.stringify(heard)}::json) as x (log_id bigint, answer text)
      where p.log_id = x.log_id returning p.log_id, p.attempts, x.answer
    )
    insert into payout_attempt (log_id, no, kind, outcome, answer)
    select log_id, attempts, ${kind}, ${outcome}, answer from counted`.execute(tx);
}

export async function countSendings(db: Db, log_id: number): Promise<number> {
  const own = db.selectFrom("payout_attempt").where("log_id", "=", log_id);
  return await countOf(own.where("kind", "=", "pay"));
}

/** Returns all attempts at a payout, oldest first, or null when the record does not exist. */
export async function selectAttempts(db: Db, log_id: number) {
  const rows = await db
    .selectFrom("payout as p")
    .leftJoin("payout_attempt as a", "a.log_id", "p.log_id")
    .select(["a.no", "a.kind", "a.started_at", "a.duration_ms", "a.operator", "a.outcome"])
    .select(["a.http_status", "a.request", "a.answer"])
    .where("p.log_id", "=", log_id)
    .orderBy("a.no")
    .execute();
  if (rows.length === 0) {
    return null;
  }
  return rows.flatMap(({ no, kind, started_at, outcome, ...rest }) =>
    no === null || kind === null || started_at === null || outcome === null
      ? []
      : [{ no, kind, started_at, outcome, ...rest }],
  );
}
