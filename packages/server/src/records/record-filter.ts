/**
 * The filter of records (behaviour §11), as SQL over records or over their payouts. Ids encode created_at, so
 * a time range is a range of ids. Round names are resolved to ids first, so that few partitions are read.
 */
import { parseDateTime } from "@red/contract/datetime";
import { STATUS_OF_STATE } from "@red/contract/lookups";
import type { AwardStatus } from "@red/contract/lookups";
import type { recordFilter } from "@red/contract/record";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type * as z from "zod/mini";
import { anyId } from "#platform/any-id";
import { allOf, stateList } from "#platform/conditions";
import type { Db } from "#platform/connection";
import { firstIdOf } from "#players/event-sql";

/** The filter as parsed, without its page. */
export type RecordFilter = Omit<z.output<typeof recordFilter>, "page" | "size">;

interface TimeSpan {
  readonly start: Date;
  /** Inclusive, to the second. */
  readonly end: Date;
}

export interface RecordMatch {
  /** Null for all rounds. */
  readonly rounds_ids: readonly number[] | null;
  readonly user_name: string | undefined;
  readonly award_name: string | undefined;
  readonly award_price: number | undefined;
  readonly award_status: AwardStatus | undefined;
  /** Only players with a counted bet on this platform. */
  readonly platform: number | undefined;
  /** The time from the first to the last of the rounds' condition windows; null for all rounds. */
  readonly span: TimeSpan | null;
  readonly start: Date | null;
  /** Inclusive, to the second. */
  readonly end: Date | null;
}

/** The SQL columns that the filter reads. */
export interface RecordSource {
  readonly from: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly rounds_id: RawBuilder<unknown>;
  readonly player_key: RawBuilder<unknown>;
  readonly cents: RawBuilder<unknown>;
  /** Whether the prize's name contains the text. */
  isNamed(part: string): RawBuilder<unknown>;
}

/** Whether a name contains this text, in any case. */
export function contains(name: RawBuilder<unknown>, part: string): RawBuilder<unknown> {
  return sql`strpos(lower(${name}), lower(${part})) > 0`;
}

export const RECORDS: RecordSource = {
  from: sql`draw_record r`,
  id: sql`r.id`,
  rounds_id: sql`r.rounds_id`,
  player_key: sql`r.player_key`,
  cents: sql`r.award_price_cents`,
  isNamed: (part) => contains(sql`r.award_name`, part),
};

export const RECORDS_WITH_PAYOUT: RecordSource = {
  ...RECORDS,
  from: sql`draw_record r join payout p on p.log_id = r.id`,
};

/** Payouts repeat the filter's columns; those that were done before they had the prize's name read it of the record. */
export const PAYOUTS: RecordSource = {
  from: sql`payout p`,
  id: sql`p.log_id`,
  rounds_id: sql`p.rounds_id`,
  player_key: sql`p.player_key`,
  cents: sql`p.amount_cents`,
  isNamed: (part) => sql`coalesce(${contains(sql`p.award_name`, part)}, exists (
    select from draw_record r
    where r.id = p.log_id and r.rounds_id = p.rounds_id and ${RECORDS.isNamed(part)}))`,
};

/** The ids of the rounds that the filter names, deleted ones included; null when it names none. */
async function selectNamedRounds(
  db: Db,
  filter: RecordFilter,
  timeZone: string,
): Promise<number[] | null> {
  const { rounds_id, rounds_name, start_date, achieve_start_time, achieve_end_time } = filter;
  const instant = (text: string | undefined) =>
    text === undefined ? null : parseDateTime(text, timeZone);
  const from = instant(achieve_start_time);
  const to = instant(achieve_end_time);
  if ((rounds_name ?? start_date) === undefined && from === null && to === null) {
    return rounds_id === undefined ? null : [rounds_id];
  }
  const isNamed = allOf(
    rounds_name !== undefined && sql`a.rounds_name = ${rounds_name}`,
    start_date !== undefined && sql`a.start_date = ${start_date}::date`,
    from !== null && sql`a.achieve_start_time = ${from}::timestamptz`,
    to !== null && sql`a.achieve_end_time = ${to}::timestamptz`,
    rounds_id !== undefined && sql`a.id = ${anyId(rounds_id)}`,
  );
  const { rows } = await sql<{ id: number }>`
    select a.id from activity a where ${isNamed}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The span of these rounds' condition windows; null when there is no such round. */
async function selectSpan(db: Db, rounds_ids: readonly number[]): Promise<TimeSpan | null> {
  const { rows } = await sql<{ start: Date | null; end: Date | null }>`
    select min(achieve_start_time) as start, max(achieve_end_time) as end
    from activity where id = any(${rounds_ids}::bigint[])`.execute(db);
  const { start = null, end = null } = rows[0] ?? {};
  return start === null || end === null ? null : { start, end };
}

/** Resolves the filter's rounds to ids and its times to instants. */
export async function readRecordFilter(
  db: Db,
  filter: RecordFilter,
  timeZone: string,
): Promise<RecordMatch> {
  const { user_name, award_name, award_price, award_status, type } = filter;
  const rounds_ids = await selectNamedRounds(db, filter, timeZone);
  return {
    rounds_ids,
    user_name,
    award_name,
    award_price,
    award_status,
    platform: type,
    span: type === undefined || rounds_ids === null ? null : await selectSpan(db, rounds_ids),
    start: filter.start_time === undefined ? null : parseDateTime(filter.start_time, timeZone),
    end: filter.end_time === undefined ? null : parseDateTime(filter.end_time, timeZone),
  };
}

function isOfRounds(rounds_ids: readonly number[], source: RecordSource): RawBuilder<unknown> {
  const [first, ...others] = rounds_ids;
  return first !== undefined && others.length === 0
    ? sql`${source.rounds_id} = ${anyId(first)}`
    : sql`${source.rounds_id} = any(${rounds_ids}::bigint[])`;
}

/**
 * Whether the player has a bet that counts for the record's round: in its condition window and not void
 * (behaviour §4). The span of the windows limits the partitions to read.
 */
export function hasCountedBet(
  platform: number,
  span: TimeSpan | null,
  source: RecordSource,
): RawBuilder<unknown> {
  const isInSpan =
    span === null
      ? sql`true`
      : sql`b.created_at >= ${span.start}::timestamptz
          and b.created_at < ${span.end}::timestamptz + interval '1 second'`;
  return sql`exists (
    select from activity w
    join bet b on b.created_at >= w.achieve_start_time
      and b.created_at < w.achieve_end_time + interval '1 second'
    where w.id = ${source.rounds_id} and b.player_key = ${source.player_key}
      and b.platform = ${platform}::smallint and b.voided_at is null and ${isInSpan})`;
}

/** The filter over a source, without its dispatch status. */
export function isMatch(match: RecordMatch, source: RecordSource): RawBuilder<unknown> {
  const { rounds_ids, user_name, award_name, award_price, platform, start, end } = match;
  return allOf(
    rounds_ids !== null && isOfRounds(rounds_ids, source),
    start !== null && sql`${source.id} >= ${firstIdOf(start.getTime())}`,
    // An end includes its second (behaviour §1).
    end !== null && sql`${source.id} < ${firstIdOf(end.getTime() + 1_000)}`,
    user_name !== undefined &&
      sql`${source.player_key} = (
        select player_key from player where user_name_key = lower(${user_name}))`,
    award_price !== undefined && sql`${source.cents} = ${award_price}`,
    award_name !== undefined && source.isNamed(award_name),
    platform !== undefined && hasCountedBet(platform, match.span, source),
  );
}

function statesOf(status: AwardStatus) {
  return stateList((_, state) => STATUS_OF_STATE[state] === status);
}

export const IS_OPEN = sql`p.state not in (${stateList(({ isDone }) => isDone)})`;
export const STATUS = sql<AwardStatus>`case
  when p.state in (${statesOf(0)}) then 0 when p.state in (${statesOf(1)}) then 1 else 2 end`;

/** The filter's dispatch status, over a source with payouts. */
export function isStatus(status: AwardStatus | undefined): RawBuilder<unknown> {
  if (status === undefined) {
    return sql`true`;
  }
  const isIn = sql`p.state in (${statesOf(status)})`;
  return status === 1 ? isIn : sql`${IS_OPEN} and ${isIn}`;
}

/**
 * The best source for the filter's status. A player has few records, so their payouts are looked up; nearly
 * every record is paid, so paid ones are read from records; all others come from the open payouts.
 */
export function sourceOf(match: RecordMatch): RecordSource {
  if (match.award_status === undefined) {
    return RECORDS;
  }
  return match.user_name !== undefined || match.award_status === 1 ? RECORDS_WITH_PAYOUT : PAYOUTS;
}
