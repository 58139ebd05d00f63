/**
 * Builds the filter of records (behaviour §11) as SQL, for records or for their payouts. Ids encode created_at, so a
 * time range is a range of ids. Round names are resolved to ids first, so that few partitions are read.
 */
import { parseDateTime } from "@red/contract/platform/datetime";
import {
  PAYOUT_STATES,
  STATE_FACTS,
  STATUS_OF_STATE,
  statesThat,
} from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import type { recordFilter } from "@red/contract/records/record";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type * as z from "zod/mini";
import { allOf, anyId, stateList } from "#platform/db/sql-parts";
import type { Db } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { firstIdOf } from "#platform/db/time-ids";

/** The parsed filter, without its page. */
export type RecordFilter = Omit<z.output<typeof recordFilter>, "page" | "size">;

interface TimeSpan {
  readonly start: Date;
  /** To the second. The last second belongs to the range. */
  readonly end: Date;
}

export interface RecordMatch {
  /** Null means all rounds. */
  readonly rounds_ids: readonly number[] | null;
  readonly user_name: string | undefined;
  readonly award_name: string | undefined;
  readonly award_price: number | undefined;
  /** The states that match; null means all states. */
  readonly states: readonly PayoutState[] | null;
  readonly log_id?: number | undefined;
  readonly drawn?: Selectable<Database["drawn_prize"]> | undefined;
  /** True: only physical prizes. False: only other prizes. Unset: as the states require. */
  readonly physical?: boolean | undefined;
  readonly order?: "newest" | "oldest" | undefined;
  /** Only players with a counted bet on this platform match. */
  readonly platform: number | undefined;
  /** Earliest start to latest end of the rounds' condition windows; set only with a filter by platform and rounds. */
  readonly span: TimeSpan | null;
  readonly start: Date | null;
  /** To the second. The last second belongs to the range. */
  readonly end: Date | null;
}

export interface RecordSource {
  readonly from: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly rounds_id: RawBuilder<unknown>;
  readonly player_key: RawBuilder<unknown>;
  readonly cents: RawBuilder<unknown>;
  /** Returns SQL: whether the name of the prize satisfies `isRight`. */
  isNamed(isRight: (name: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown>;
}

export function contains(name: RawBuilder<unknown>, part: string): RawBuilder<unknown> {
  return sql`strpos(lower(${name}), lower(${part})) > 0`;
}

export const RECORDS: RecordSource = {
  from: sql`draw_record r`,
  id: sql`r.id`,
  rounds_id: sql`r.rounds_id`,
  player_key: sql`r.player_key`,
  cents: sql`r.award_price_cents`,
  isNamed: (isRight) => isRight(sql`r.award_name`),
};

export const RECORDS_WITH_PAYOUT: RecordSource = {
  ...RECORDS,
  from: sql`draw_record r join payout p on p.log_id = r.id`,
};

/**
 * Payouts repeat the columns of the filter. Older payouts have no prize name, so their name is read from the record.
 */
export const PAYOUTS: RecordSource = {
  from: sql`payout p`,
  id: sql`p.log_id`,
  rounds_id: sql`p.rounds_id`,
  player_key: sql`p.player_key`,
  cents: sql`p.amount_cents`,
  isNamed: (isRight) => sql`coalesce(${isRight(sql`p.award_name`)}, exists (
    select from draw_record r
    where r.id = p.log_id and r.rounds_id = p.rounds_id and ${RECORDS.isNamed(isRight)}))`,
};

/**
 * Returns the ids of the rounds that the filter names, including deleted rounds. Returns null if
 * the filter names no round.
 */
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

/** Returns the time range of the condition windows of these rounds, or null if there is no such round. */
async function selectSpan(db: Db, rounds_ids: readonly number[]): Promise<TimeSpan | null> {
  const { rows } = await sql<{ start: Date | null; end: Date | null }>`
    select min(achieve_start_time) as start, max(achieve_end_time) as end
    from activity where id = any(${rounds_ids}::bigint[])`.execute(db);
  const { start = null, end = null } = rows[0] ?? {};
  return start === null || end === null ? null : { start, end };
}

/** Returns the states that the filter names, or null if the filter names none. */
export function statesOf({ award_status, payout_state }: RecordFilter): PayoutState[] | null {
  const named = payout_state ?? PAYOUT_STATES;
  const states = named.filter(
    (state) => STATUS_OF_STATE[state] === (award_status ?? STATUS_OF_STATE[state]),
  );
  return payout_state === undefined && award_status === undefined ? null : states;
}

/** Resolves the filter: rounds to ids, texts to times, and prize and payout numbers to their rows. */
export async function readRecordFilter(
  db: Db,
  filter: RecordFilter,
  timeZone: string,
): Promise<RecordMatch> {
  const { user_name, award_name, award_price, order, type, drawn_prize, trans_sn } = filter;
  const prizes = db.selectFrom("drawn_prize").selectAll();
  const payouts = db.selectFrom("payout").select("log_id");
  const drawn =
    drawn_prize && (await prizes.where("id", "=", anyId(drawn_prize)).executeTakeFirst());
  const paid = trans_sn && (await payouts.where("trans_sn", "=", trans_sn).executeTakeFirst());
  const isNone = (drawn_prize && !drawn) || (trans_sn && !paid);
  const rounds_ids = isNone ? [] : await selectNamedRounds(db, filter, timeZone);
  return {
    rounds_ids,
    user_name,
    award_name,
    award_price,
    states: statesOf(filter),
    log_id: paid ? paid.log_id : undefined,
    drawn: drawn ? drawn : undefined,
    order,
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
 * SQL: whether the player has a bet that counts for the round of the record: in its condition
 * window and not void (behaviour §4). The range of the windows limits the partitions to read.
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
  // Refers to no column of the outer query, so a cluster can read the bets on their own machines.
  return sql`(${source.rounds_id}, ${source.player_key}) in (
    select w.id, b.player_key from activity w
    join bet b on b.created_at >= w.achieve_start_time
      and b.created_at < w.achieve_end_time + interval '1 second'
    where b.platform = ${platform}::smallint and b.voided_at is null and ${isInSpan})`;
}

/** Returns true if all matches are physical prizes, false if no match is, and undefined if both can occur. */
export function kindOf({ physical, states }: RecordMatch): boolean | undefined {
  const kinds = new Set(states?.map((state) => STATE_FACTS[state].isPhysical));
  return physical ?? (kinds.size === 1 ? kinds.has(true) : undefined);
}

/** SQL: whether the prize is of the kind that the filter wants. Only a physical prize has the price 0. */
export function isOfKind(match: RecordMatch, cents: RawBuilder<unknown>) {
  const kind = kindOf(match);
  return kind !== undefined && sql`(${cents} = 0) = ${sql.lit(kind)}`;
}

/** SQL: the filter for a source. Of the states it uses only the kind of prize; `isInState` checks the states. */
export function isMatch(match: RecordMatch, source: RecordSource): RawBuilder<unknown> {
  const { rounds_ids, user_name, award_name, award_price, platform, start, end } = match;
  const { drawn, log_id } = match;
  return allOf(
    log_id !== undefined && sql`${source.id} = ${log_id}::bigint`,
    isOfKind(match, source.cents),
    drawn !== undefined &&
      sql`${source.rounds_id} = ${drawn.rounds_id} and ${source.cents} = ${drawn.award_price_cents}
        and ${source.isNamed((name) => sql`${name} = ${drawn.award_name}`)}`,
    rounds_ids !== null && isOfRounds(rounds_ids, source),
    start !== null && sql`${source.id} >= ${firstIdOf(start.getTime())}`,
    // The end second belongs to the range (behaviour §1).
    end !== null && sql`${source.id} < ${firstIdOf(end.getTime() + 1_000)}`,
    user_name !== undefined &&
      sql`${source.player_key} = (
        select player_key from player where user_name_key = lower(${user_name}))`,
    award_price !== undefined && sql`${source.cents} = ${award_price}`,
    award_name !== undefined && source.isNamed((name) => contains(name, award_name)),
    platform !== undefined && hasCountedBet(platform, match.span, source),
  );
}

export const IS_OPEN = sql`p.state not in (${stateList(({ isDone }) => isDone)})`;

type States = RecordMatch["states"];

/** Whether the filter names states and all of them are open. Open payouts are few and have an index. */
export function areOpen(states: States): boolean {
  return states?.some((state) => STATE_FACTS[state].isDone) === false;
}

/** Whether the filter allows every done state of its kind of prize. Then rollups can give the result. */
export function hasAllDone(match: RecordMatch): boolean {
  const kind = kindOf(match);
  const done = statesThat(
    (facts) => facts.isDone && facts.isPhysical === (kind ?? facts.isPhysical),
  );
  return match.states === null || done.every((state) => match.states?.includes(state));
}

/** SQL: whether the state matches the filter, for a source with payouts. */
export function isInState(states: States): RawBuilder<unknown> {
  if (states === null) {
    return sql`true`;
  }
  // Filters can contradict each other, so the list may be empty; the empty text keeps the SQL valid.
  const isIn = sql`p.state in (${sql.join(["", ...states].map((state) => sql.lit(state)))})`;
  return areOpen(states) ? sql`${IS_OPEN} and ${isIn}` : isIn;
}

/**
 * Returns the fastest source for the states of the filter. One player has few records, so their
 * payouts are looked up. Nearly every record is paid, so paid records are read from the records.
 * All other states are read from the open payouts.
 */
export function sourceOf(match: RecordMatch): RecordSource {
  if (match.states === null) {
    return RECORDS;
  }
  return match.user_name !== undefined || match.log_id !== undefined || !areOpen(match.states)
    ? RECORDS_WITH_PAYOUT
    : PAYOUTS;
}
