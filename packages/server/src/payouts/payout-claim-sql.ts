/**
 * Claims due payouts with a lease (behaviour §6). Claims and lease renewals skip locked rows, so they cannot deadlock.
 */
import { sql } from "kysely";
import type { PayoutSchedule } from "./payout-rules.ts";
import type { Db, Tx } from "#platform/db/connection";
import { sharePayoutSwitch } from "#stops/stop-switch-sql";

const EXPIRED_MAX = 1_000;

export interface ClaimedPayout {
  readonly log_id: number;
  readonly kind: "pay" | "query";
  /** The operator who queued the payout again. Set only for the first call after that. */
  readonly operator: string | null;
  readonly fence: number;
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

export interface ClaimRoom {
  readonly all: number;
  readonly pay: number;
  readonly query: number;
  /** Whether the wallet may be queried before the query is due. */
  readonly isEager: boolean;
}

/**
 * Claims due payouts for `leaseMs`: first unknown payouts, which are few, then queued payouts, oldest first. A
 * queued payout is queried instead of sent if it was unknown for `checkAfterMs` or was first sent `retentionMs`
 * ago. An early query does not count in the schedule, and while payouts are stopped, queued payouts stay queued.
 */
export async function claimPayouts(
  tx: Tx,
  room: ClaimRoom,
  { leaseMs, checkAfterMs, retentionMs }: PayoutSchedule,
): Promise<ClaimedPayout[]> {
  const isStopped = await sharePayoutSwitch(tx);
  const { all } = room;
  const query = Math.min(room.query, all);
  const pay = isStopped ? 0 : Math.min(room.pay, all);
  const isSent = sql`(p.state = 'queued'
    and (p.unknown_since > now() - ${checkAfterMs}::float8 * interval '1 ms') is not false
    and (p.first_sent_at > now() - ${retentionMs}::float8 * interval '1 ms') is not false)`;
  // The SQL uses now() instead of clock_timestamp(), because only a stable value can limit the index scan. The
  // update finds its rows by an array: in a join with `due` the planner cannot know the size, and would read the
  // whole table at every claim.
  const { rows } = await sql<ClaimedPayout>`
    with asked as materialized (
      select log_id, requested_by, false as is_sent
      from payout
      where state = 'unknown' and (${room.isEager} or next_at <= now())
      order by next_at
      limit ${query}
      for update skip locked
    ), sent as materialized (
      select log_id, requested_by, ${isSent} as is_sent
      from payout p
      where state = 'queued' and next_at <= now()
      order by next_at
      limit least(${pay}::bigint, ${all}::bigint - (select count(*) from asked))
      for update skip locked
    ), due as materialized (
      select * from asked union all select * from sent
    ), claimed as (
      update payout p
      set state = 'sending',
        lease_until = clock_timestamp() + ${leaseMs}::float8 * interval '1 ms',
        fence = p.fence + 1,
        attempts = p.attempts + 1,
        asked = case when ${isSent} then 0 else p.asked - (p.next_at > now())::integer end,
        first_sent_at = case when ${isSent} then coalesce(p.first_sent_at, clock_timestamp())
          else p.first_sent_at end,
        requested_by = null,
        updated_at = clock_timestamp()
      where p.log_id = any(array(select log_id from due))
      returning p.*
    )
    select c.log_id, case when due.is_sent then 'pay' else 'query' end as kind,
      due.requested_by as operator, c.fence, c.attempts as no, c.trans_sn, y.player_id,
      y.user_name, c.amount_cents, c.turnover, c.red_code, c.rounds_id, c.created_at,
      clock_timestamp() as called_at
    from claimed c
    join due on due.log_id = c.log_id
    join player y on y.player_key = c.player_key`.execute(tx);
  return rows;
}

/** Renews the leases of payouts whose fence has not changed. */
export async function renewLeases(
  tx: Tx,
  held: readonly Pick<ClaimedPayout, "log_id" | "fence">[],
  leaseMs: number,
): Promise<void> {
  await sql`
    update payout p
    set lease_until = clock_timestamp() + ${leaseMs}::float8 * interval '1 ms'
    from (
      select q.log_id
      from payout q
      join unnest(${held.map((payout) => payout.log_id)}::bigint[],
        ${held.map((payout) => payout.fence)}::bigint[]) as h (log_id, fence)
        on h.log_id = q.log_id and h.fence = q.fence
      where q.state = 'sending'
      for update of q skip locked
    ) mine
    where p.log_id = mine.log_id`.execute(tx);
}

/**
 * Makes payouts with an expired lease unknown and due at once, because the result of their call is not known.
 * Returns the number of changed payouts.
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
 * Returns the milliseconds until the next queued and the next unknown payout are due. A value is negative when
 * overdue and null when no such payout waits; `pay` is also null while payouts are stopped.
 */
export async function selectNextDue(db: Db) {
  const { rows } = await sql<Readonly<Record<"pay" | "query", number | null>>>`
    select
      extract(epoch from (select next_at from payout
        where state = 'queued' and not exists (select from stop_switch where name = 'payouts')
        order by next_at limit 1) - clock_timestamp())::float8 * 1000 as pay,
      extract(epoch from (select next_at from payout where state = 'unknown' order by next_at limit 1)
        - clock_timestamp())::float8 * 1000 as query`.execute(db);
  return rows[0] ?? { pay: null, query: null };
}

/**
 * Makes up to `limit` unknown payouts due at once, earliest first, and skips locked rows. The early query does
 * not count in the schedule.
 */
export async function bringQuestionsForward(tx: Tx, limit: number): Promise<void> {
  await sql`
    update payout set next_at = now(), asked = asked - 1, updated_at = clock_timestamp()
    where log_id in (
      select log_id from payout
      where state = 'unknown' and next_at > now()
      order by next_at
      limit ${limit}
      for update skip locked
    )`.execute(tx);
}
