/**
 * Payouts as a queue (behaviour §6): claimed by whoever comes first, held by a lease, settled by what
 * the wallet said. Whoever locks several locks them in log_id order; a claim and a renewed lease skip
 * what is locked, so nobody waits for anybody in a circle. Times are the database's.
 */
import type { CheckReason, PayoutState } from "@red/contract/lookups";
import { sql } from "kysely";
import pg from "pg";
import type { Db, Tx } from "./connection.ts";
import { sharePayoutSwitch } from "./stop-switch.ts";

/** The channel on which new work is announced; draw_commit uses it too. */
export const PAYOUT_CHANNEL = "payout";

/** Leases that one look takes back. */
const EXPIRED_MAX = 1_000;

/** How long a claim holds, and how old something may be that is sent; milliseconds. */
export interface ClaimTimes {
  readonly leaseMs: number;
  readonly checkAfterMs: number;
  readonly retentionMs: number;
}

/** One payout in the hands of a worker, with everything that its call needs. */
export interface ClaimedPayout {
  readonly log_id: number;
  readonly kind: "pay" | "query";
  /** The operator who had it queued again, for its first sending after that. */
  readonly operator: string | null;
  readonly fence: number;
  /** Number of this attempt. */
  readonly no: number;
  readonly trans_sn: string;
  readonly player_id: string;
  readonly user_name: string;
  readonly amount_cents: number;
  readonly turnover: number;
  readonly red_code: string;
  readonly rounds_id: number;
  readonly created_at: Date;
  readonly called_at: Date;
}

/**
 * Takes up to `limit` payouts that are due, oldest first, for `leaseMs`. What was queued again after
 * it had been unknown for `checkAfterMs`, or was first sent `retentionMs` ago, is asked about instead
 * of sent. While payouts are stopped the queued ones stay where they are; what is unknown is asked
 * about all the same.
 */
export async function claimPayouts(
  tx: Tx,
  limit: number,
  { leaseMs, checkAfterMs, retentionMs }: ClaimTimes,
): Promise<ClaimedPayout[]> {
  const isStopped = await sharePayoutSwitch(tx);
  // now() and not clock_timestamp(): only a stable value may bound the index.
  const { rows } = await sql<ClaimedPayout>`
    with due as materialized (
      select log_id, requested_by,
        case
          when state = 'queued'
            and (unknown_since > now() - ${checkAfterMs}::float8 * interval '1 ms') is not false
            and (first_sent_at > now() - ${retentionMs}::float8 * interval '1 ms') is not false
          then 'pay'
          else 'query'
        end as kind
      from payout
      where ${isStopped ? sql`state = 'unknown'` : sql`state in ('queued', 'unknown')`}
        and next_at <= now()
      order by next_at
      limit ${limit}
      for update skip locked
    ), claimed as (
      update payout p
      set state = 'sending',
        lease_until = clock_timestamp() + ${leaseMs}::float8 * interval '1 ms',
        fence = p.fence + 1,
        attempts = p.attempts + 1,
        asked = case due.kind when 'pay' then 0 else p.asked end,
        first_sent_at = case due.kind
          when 'pay' then coalesce(p.first_sent_at, clock_timestamp()) else p.first_sent_at end,
        requested_by = null,
        updated_at = clock_timestamp()
      from due
      where p.log_id = due.log_id
      returning p.*, due.kind, due.requested_by as operator
    )
    select c.log_id, c.kind, c.operator, c.fence, c.attempts as no, c.trans_sn, y.player_id,
      y.user_name, c.amount_cents, c.turnover, c.red_code, c.rounds_id, c.created_at,
      clock_timestamp() as called_at
    from claimed c
    join player y on y.player_key = c.player_key`.execute(tx);
  return rows;
}

/** A payout under lock, and the clock at that moment. */
export interface LockedPayout {
  readonly log_id: number;
  readonly state: PayoutState;
  readonly amount_cents: number;
  readonly fence: number;
  readonly unknown_since: Date | null;
  readonly asked: number;
  readonly never_seen_at: Date | null;
  readonly resent: number;
  readonly requested_by: string | null;
  readonly first_sent_at: Date | null;
  readonly now: Date;
}

function lockColumns(tx: Tx) {
  return tx
    .selectFrom("payout")
    .select(["log_id", "state", "amount_cents", "fence", "unknown_since", "asked"])
    .select(["never_seen_at", "resent", "requested_by", "first_sent_at"])
    .select(sql<Date>`clock_timestamp()`.as("now"))
    .orderBy("log_id")
    .forUpdate();
}

/** Locks those payouts that there are, in log_id order. */
export async function lockPayouts(tx: Tx, log_ids: readonly number[]): Promise<LockedPayout[]> {
  return await lockColumns(tx)
    .where("log_id", "=", sql<number>`any(${log_ids}::bigint[])`)
    .execute();
}

/** Locks one payout by the wallet's number of it; null when there is none. */
export async function lockPayoutByTransSn(tx: Tx, trans_sn: string): Promise<LockedPayout | null> {
  return (await lockColumns(tx).where("trans_sn", "=", trans_sn).executeTakeFirst()) ?? null;
}

/** The new state of a locked payout. */
export interface PayoutUpdate {
  readonly log_id: number;
  readonly state: PayoutState;
  readonly next_at: Date;
  readonly unknown_since: Date | null;
  readonly asked: number;
  readonly never_seen_at: Date | null;
  readonly resent: number;
  readonly check_reason: CheckReason | null;
  readonly fail_reason: string | null;
  readonly wallet_ref: string | null;
  readonly paid_at: Date | null;
}

/** Writes new states of locked payouts; whoever held one holds it no longer. */
export async function updatePayouts(tx: Tx, updates: readonly PayoutUpdate[]): Promise<void> {
  if (updates.length === 0) {
    return;
  }
  await sql`
    update payout p
    set state = x.state, next_at = x.next_at, lease_until = null, requested_by = null,
      unknown_since = x.unknown_since, asked = x.asked, never_seen_at = x.never_seen_at,
      resent = x.resent, check_reason = x.check_reason, fail_reason = x.fail_reason,
      wallet_ref = x.wallet_ref, paid_at = x.paid_at, updated_at = clock_timestamp()
    from json_to_recordset(${JSON.stringify(updates)}::json) as x (log_id bigint, state text,
      next_at timestamptz, unknown_since timestamptz, asked integer, never_seen_at timestamptz,
      resent integer, check_reason text, fail_reason text, wallet_ref text, paid_at timestamptz)
    where p.log_id = x.log_id`.execute(tx);
}

/** What a worker holds, by the fence of its claim. */
export interface HeldPayout {
  readonly log_id: number;
  readonly fence: number;
}

/** Renews the leases of payouts that are still held under these fences. */
export async function renewLeases(
  tx: Tx,
  held: readonly HeldPayout[],
  leaseMs: number,
): Promise<void> {
  await sql`
    update payout p
    set lease_until = clock_timestamp() + ${leaseMs}::float8 * interval '1 ms'
    from (
      select q.log_id
      from payout q
      join unnest(${held.map((one) => one.log_id)}::bigint[],
        ${held.map((one) => one.fence)}::bigint[]) as h (log_id, fence)
        on h.log_id = q.log_id and h.fence = q.fence
      where q.state = 'sending'
      for update of q skip locked
    ) mine
    where p.log_id = mine.log_id`.execute(tx);
}

/**
 * Takes payouts back whose worker is gone: nobody knows what became of the call, so they are unknown
 * and due at once. Answers how many.
 */
export async function expireLeases(tx: Tx): Promise<number> {
  const { rows } = await sql<{ expired: number }>`
    with lost as (
      update payout
      set state = 'unknown', lease_until = null, next_at = now(), fence = fence + 1,
        unknown_since = coalesce(unknown_since, now()), updated_at = clock_timestamp()
      where log_id in (
        select log_id from payout
        where state = 'sending' and lease_until < now()
        order by lease_until
        limit ${EXPIRED_MAX}
        for update skip locked
      )
      returning log_id
    ), noted as (
      update payout_attempt a set outcome = 'lease expired'
      from lost
      where a.log_id = lost.log_id and a.outcome = 'started'
    )
    select count(*) as expired from lost`.execute(tx);
  return rows[0]?.expired ?? 0;
}

/**
 * Milliseconds until the next payout is due, negative when it is overdue; null when none waits. While
 * payouts are stopped, queued ones are never due.
 */
export async function selectNextDue(db: Db): Promise<number | null> {
  const { rows } = await sql<{ due_in_ms: number | null }>`
    select extract(epoch from min(next_at) - clock_timestamp())::float8 * 1000 as due_in_ms
    from (
      (select next_at from payout where state = 'unknown' order by next_at limit 1)
      union all
      (select next_at from payout
        where state in ('queued', 'unknown')
          and not exists (select from stop_switch where name = 'payouts')
        order by next_at limit 1)
    ) as waiting`.execute(db);
  return rows[0]?.due_in_ms ?? null;
}

/** Tells the workers, once this transaction commits, that there is something to do. */
export async function notifyPayoutWorkers(tx: Tx): Promise<void> {
  await sql`select pg_notify(${PAYOUT_CHANNEL}, '')`.execute(tx);
}

/**
 * Doubts every payout that is not settled: nobody knows any more what became of it, so the wallet is
 * asked first. Answers how many.
 */
export async function doubtPayouts(tx: Tx): Promise<number> {
  const { rows } = await sql<{ doubted: number }>`
    with doubted as (
      update payout
      set state = 'unknown', lease_until = null, next_at = now(), fence = fence + 1,
        unknown_since = clock_timestamp(), asked = 0, never_seen_at = null,
        updated_at = clock_timestamp()
      where state in ('queued', 'sending', 'unknown')
      returning log_id
    )
    select count(*) as doubted from doubted`.execute(tx);
  return rows[0]?.doubted ?? 0;
}

/** Will this write fail again, however often it is tried? Anything else may be a passing trouble. */
export function isDataFault(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && /^2[23]/.test(fault.code ?? "");
}
