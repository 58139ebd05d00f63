/** Checks records against the rows to which they refer: numbers, requests and extra times (behaviour §3 to §5). */
import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Db } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { firstOffence, streamRows } from "#platform/db/snapshot";

/** Checks that player, prize, round, rule version and pool version of each record exist. */
export const selectDanglingRecord = firstOffence("draw_record")`
  select r.id as place, jsonb_build_object('id', r.id, 'rounds_id', r.rounds_id) as ids,
    jsonb_build_object('player_key', r.player_key, 'prize_id', r.prize_id,
      'rounds_id', r.rounds_id, 'rule_version', r.rule_version,
      'pool_version', r.pool_version) as expected,
    jsonb_build_object('player_key', p.player_key, 'prize_id', z.id,
      'rounds_id', a.id, 'rule_version', u.version, 'pool_version', v.version) as found
  from draw_record r
  left join player p on p.player_key = r.player_key
  left join prize z on z.id = r.prize_id and z.pool_id = r.pool_id
  left join activity a on a.id = r.rounds_id
  left join activity_rule u on u.rounds_id = r.rounds_id and u.version = r.rule_version
  left join pool_version v on v.pool_id = r.pool_id and v.version = r.pool_version
  where p.player_key is null or z.id is null or a.id is null or u.version is null
    or v.version is null`;

/**
 * Checks that a player's draws in a round are numbered 1 … n. Reports the first draw whose number differs from
 * its position by id.
 */
export const selectMisnumberedDraw = firstOffence("draw_record")`
  with broken as materialized (
    select distinct player_key, rounds_id
    from (
      select player_key, rounds_id, draw_no,
        row_number() over (partition by player_key, rounds_id order by draw_no) as place
      from draw_record
    ) numbered
    where draw_no <> place
  )
  select id as place,
    jsonb_build_object('id', id, 'rounds_id', rounds_id, 'player_key', player_key) as ids,
    jsonb_build_object('draw_no', by_id) as expected,
    jsonb_build_object('draw_no', draw_no) as found
  from (
    select id, rounds_id, player_key, draw_no,
      row_number() over (partition by player_key, rounds_id order by id) as by_id
    from draw_record join broken using (player_key, rounds_id)
  ) placed
  where draw_no <> by_id`;

export const selectDoubleLogId = firstOffence("draw_record")`
  select id as place, jsonb_build_object('id', id) as ids,
    jsonb_build_object('records', 1) as expected,
    jsonb_build_object('records', count(*)) as found
  from draw_record group by id having count(*) > 1`;

/** Checks that a record's id encodes the record's time to the millisecond. Lists and exports need this order. */
export const selectMistimedLogId = firstOffence("draw_record")`
  select id as place, jsonb_build_object('id', id, 'rounds_id', rounds_id) as ids,
    jsonb_build_object('created_at', coded_at) as expected,
    jsonb_build_object('created_at', created_at) as found
  from (
    select id, rounds_id, created_at,
      timestamptz '2020-01-01 00:00:00+00' + (id / 16384) * interval '1 millisecond' as coded_at
    from draw_record
  ) coded
  where date_trunc('milliseconds', created_at) <> coded_at`;

/** Checks that a trans_sn, the wallet's idempotency key, belongs to only one payout. */
export const selectDoubleTransSn = firstOffence("payout")`
  select min(log_id) as place,
    jsonb_build_object('log_id', min(log_id), 'trans_sn', trans_sn) as ids,
    jsonb_build_object('payouts', 1) as expected,
    jsonb_build_object('payouts', count(*)) as found
  from payout group by trans_sn having count(*) > 1`;

/** Checks that the record of a request exists, in the same round. */
export const selectStrayRequest = firstOffence("draw_request")`
  select q.log_id as place,
    jsonb_build_object('key', q.key, 'request_id', q.request_id) as ids,
    jsonb_build_object('log_id', r.id, 'rounds_id', r.rounds_id) as expected,
    jsonb_build_object('log_id', q.log_id, 'rounds_id', q.rounds_id) as found
  from draw_request q
  left join draw_record r on r.id = q.log_id
  where r.rounds_id is distinct from q.rounds_id`;

/** Checks that every record has exactly one request, except where requests were deleted by age. */
export const selectRecordWithoutRequest = firstOffence("draw_record")`
  select r.id as place, jsonb_build_object('id', r.id, 'rounds_id', r.rounds_id) as ids,
    jsonb_build_object('requests', 1) as expected,
    jsonb_build_object('requests', coalesce(q.requests, 0)) as found
  from draw_record r
  left join (select log_id, count(*) as requests from draw_request group by log_id) q
    on q.log_id = r.id
  left join round_cut k on k.rounds_id = r.rounds_id and k.what = 'requests'
  where coalesce(q.requests, 0) <> 1 and r.id >= coalesce(k.below_id, 0)`;

/** Checks that the extra time of a record refers back to this record. */
export const selectUnmarkedExtraTime = firstOffence("extra_time")`
  select r.id as place, jsonb_build_object('id', r.extra_time_id) as ids,
    jsonb_build_object('used_log_id', r.id, 'used_rounds_id', r.rounds_id) as expected,
    case when e.id is not null then jsonb_build_object('used_log_id', e.used_log_id,
      'used_rounds_id', e.used_rounds_id) end as found
  from draw_record r
  left join extra_time e on e.id = r.extra_time_id
  where r.extra_time_id is not null
    and (e.used_log_id is distinct from r.id or e.used_rounds_id is distinct from r.rounds_id)`;

/** Checks that an extra time was used by its own player, in a round of its group, not later than its last second. */
export const selectMisusedExtraTime = firstOffence("extra_time")`
  select e.id as place, jsonb_build_object('id', e.id) as ids,
    jsonb_build_object('used_log_id', r.id, 'record.extra_time_id', e.id,
      'player_key', r.player_key, 'tag', u.rule ->> 'tag', 'is_in_time', true) as expected,
    jsonb_build_object('used_log_id', e.used_log_id, 'record.extra_time_id', r.extra_time_id,
      'player_key', e.player_key, 'tag', e.tag,
      'is_in_time', r.created_at < e.expire_time + interval '1 second') as found
  from extra_time e
  left join draw_record r on r.id = e.used_log_id and r.rounds_id = e.used_rounds_id
  left join activity_rule u on u.rounds_id = r.rounds_id and u.version = r.rule_version
  where (e.used_log_id is not null or e.used_rounds_id is not null)
    and (r.id is null or r.extra_time_id is distinct from e.id
      or r.player_key <> e.player_key or u.rule ->> 'tag' is distinct from e.tag
      or r.created_at >= e.expire_time + interval '1 second')`;

export type DrawnRecord = Readonly<
  Omit<Selectable<Database["draw_record"]>, "player_key" | "draw_no" | "extra_time_id">
>;

/** Streams records with everything from which a draw is derived (behaviour §5), in no fixed order. */
export function streamDraws(snapshot: Db): AsyncGenerator<DrawnRecord[]> {
  return streamRows<DrawnRecord>(
    snapshot,
    sql`
      select id, rounds_id, prize_id, award_name, award_price_cents, turnover, rule_version,
        pool_id, pool_version, ticket, fallback_ticket, exhausted, created_at
      from draw_record`,
  );
}
