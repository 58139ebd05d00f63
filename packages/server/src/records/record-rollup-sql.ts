/**
 * Totals and pages of records by rollups (platform/rollups/rollup-rows.sql). Works for every filter
 * except an account, a platform, or a status that few records have.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { allOf } from "#platform/db/sql-parts";
import { firstIdOf, IDS_PER_MINUTE } from "#platform/db/time-ids";
import { minutesOf } from "#platform/rollups/rollup-sql";
import type { Span } from "#platform/rollups/rollup-sql";
import {
  contains,
  IS_OPEN,
  isInState,
  isMatch,
  isOfKind,
  kindOf,
  PAYOUTS,
  RECORDS,
} from "./record-filter.ts";
import type { RecordMatch } from "./record-filter.ts";

function spanOf({ start, end }: RecordMatch) {
  // The end second belongs to the range (behaviour §1).
  return minutesOf(start, end === null ? null : new Date(end.getTime() + 1_000));
}

/** SQL: the arguments of a rollup: list, whole minutes, and codes (all records, rounds, or drawn prizes). */
function rollupKey(match: RecordMatch): RawBuilder<unknown> {
  const { rounds_ids, award_name, award_price, drawn } = match;
  const { from, to } = spanOf(match);
  const span = sql`'draw_record', ${from}::bigint, ${to}::bigint`;
  if ((award_name ?? award_price ?? drawn ?? kindOf(match)) === undefined) {
    return rounds_ids === null
      ? sql`${span}, array[0]::bigint[], array[0]::bigint[]`
      : sql`${span}, array[1]::bigint[], ${rounds_ids}::bigint[]`;
  }
  const isDrawn = allOf(
    rounds_ids !== null && sql`d.rounds_id = any(${rounds_ids}::bigint[])`,
    award_price !== undefined && sql`d.award_price_cents = ${award_price}`,
    award_name !== undefined && contains(sql`d.award_name`, award_name),
    drawn !== undefined && sql`d.id = ${drawn.id}`,
    isOfKind(match, sql`d.award_price_cents`),
  );
  return sql`${span}, array[2]::bigint[],
    array(select d.id::bigint from drawn_prize d where ${isDrawn})`;
}

/** SQL: records and cents in a part of a minute, read row by row. An empty part needs no read. */
function counted(match: RecordMatch, { start, end }: Span, more = sql`true`) {
  if (start >= end) {
    return sql`select 0::bigint as n, 0::numeric as cents`;
  }
  return sql`
    select count(*) as n, coalesce(sum(r.award_price_cents), 0) as cents from draw_record r
    where ${isMatch({ ...match, start: null, end: null }, RECORDS)} and ${more}
      and r.id >= ${firstIdOf(start.getTime())} and r.id < ${firstIdOf(end.getTime())}`;
}

/** SQL: `count` and `amount_cents` of all matches in any status. */
export function rolledTotal(match: RecordMatch): RawBuilder<unknown> {
  const { newer, older } = spanOf(match);
  return sql`
    select sum(n)::bigint as count, sum(cents) as amount_cents
    from (
      select n, cents from rollup_total(${rollupKey(match)})
      union all (${counted(match, newer)})
      union all (${counted(match, older)})
    ) x`;
}

/**
 * SQL: id and rounds_id of one page, from the minutes that contain the page according to the rollups. The few open
 * payouts in other states are subtracted from their minutes. Pages in oldest order are counted from the end, in the
 * same snapshot. The last limit removes no row; it tells the planner that few rows come.
 */
export function rolledPage(match: RecordMatch, size: number, offset: number): RawBuilder<unknown> {
  const { newer, older } = spanOf(match);
  const isPicky = match.states !== null;
  const isCounted = isPicky ? sql`r.id not in (select id from open)` : sql`true`;
  const first = sql`place.start * ${sql.lit(IDS_PER_MINUTE)}`;
  const n = (span: Span) => sql`(select n from (${counted(match, span, isCounted)}) x)`;
  const left = sql`t.count - (select count(*) from open) - ${offset}::bigint`;
  const part =
    match.order === "oldest"
      ? sql`select greatest(${left} - ${size}::bigint, 0) as skip,
          greatest(least(${left}, ${size}::bigint), 0) as take from (${rolledTotal(match)}) t`
      : sql`select ${offset}::bigint as skip, ${size}::bigint as take`;
  return sql`
    with open as materialized (
      select p.log_id as id from payout p
      where ${isPicky ? sql`${isMatch(match, PAYOUTS)} and ${IS_OPEN} and not ${isInState(match.states)}` : sql`false`}
    ), part as materialized (${part})
    select r.id, r.rounds_id
    from rollup_places(${rollupKey(match)}, ${n(newer)}, ${n(older)}, (select skip from part),
      (select take from part), array(select id / ${sql.lit(IDS_PER_MINUTE)} from open)) place
    cross join lateral (
      select r.id, r.rounds_id from draw_record r
      where ${isMatch(match, RECORDS)} and ${isCounted}
        and r.id >= ${first} and r.id < ${first} + ${sql.lit(IDS_PER_MINUTE)}
      order by r.id desc
      limit place.take offset place.skip
    ) r
    limit ${size}`;
}
