/**
 * The filter of records (behaviour §11) as SQL, over records or over their payouts. Ids encode created_at, so a time
 * range is a range of ids. Round names are resolved to ids first: then few partitions are read.
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
  /** The states that match; null: all. */
  readonly states: readonly PayoutState[] | null;
  /** The one record. */
  readonly log_id?: number | undefined;
  readonly drawn?: Selectable<Database["drawn_prize"]> | undefined;
  /** True: only physical prizes; false: only the others; unset: what the states imply. */
  readonly physical?: boolean | undefined;
  readonly order?: "newest" | "oldest" | undefined;
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
  /** SQL: whether the prize's name passes `isRight`. */
  isNamed(isRight: (name: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown>;
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
  isNamed: (isRight) => isRight(sql`r.award_name`),
};

export const RECORDS_WITH_PAYOUT: RecordSource = {
  ...RECORDS,
  from: sql`draw_record r join payout p on p.log_id = r.id`,
};

/** Payouts repeat the filter's columns. Older payouts have no prize name; their record has it. */
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

/** The states that the filter names; null when these are all. */
export function statesOf({ award_status, payout_state }: RecordFilter): PayoutState[] | null {
  const named = payout_state ?? PAYOUT_STATES;
  const states = named.filter(
    (state) => STATUS_OF_STATE[state] === (award_status ?? STATUS_OF_STATE[state]),
  );
  return payout_state === undefined && award_status === undefined ? null : states;
}

/** Resolves the filter's rounds to ids, its times to instants, and its numbers to what they stand for. */
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
  // Without a name of the outer query: a cluster reads the bets where they are.
  return sql`(${source.rounds_id}, ${source.player_key}) in (
    select w.id, b.player_key from activity w
    join bet b on b.created_at >= w.achieve_start_time
      and b.created_at < w.achieve_end_time + interval '1 second'
    where b.platform = ${platform}::smallint and b.voided_at is null and ${isInSpan})`;
}

/** Whether all matches are physical prizes, or none is; undefined when there may be both. */
export function kindOf({ physical, states }: RecordMatch): boolean | undefined {
  const kinds = new Set(states?.map((state) => STATE_FACTS[state].isPhysical));
  return physical ?? (kinds.size === 1 ? kinds.has(true) : undefined);
}

/** Only a physical prize has no price. */
export function isOfKind(match: RecordMatch, cents: RawBuilder<unknown>) {
  const kind = kindOf(match);
  return kind !== undefined && sql`(${cents} = 0) = ${sql.lit(kind)}`;
}

/** The filter over a source. Of the states it uses only the kind of prize; see `isInState`. */
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
    // An end includes its second (behaviour §1).
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

/** Whether no state is a done one. Open payouts are few and have an index. */
export function areOpen(states: States): boolean {
  return states?.some((state) => STATE_FACTS[state].isDone) === false;
}

/** Whether all done states of the filter's kind of prize match: then rollups can answer. */
export function hasAllDone(match: RecordMatch): boolean {
  const kind = kindOf(match);
  const done = statesThat(
    (facts) => facts.isDone && facts.isPhysical === (kind ?? facts.isPhysical),
  );
  return match.states === null || done.every((state) => match.states?.includes(state));
}

/** The filter's states, over a source with payouts. */
export function isInState(states: States): RawBuilder<unknown> {
  if (states === null) {
    return sql`true`;
  }
  // The list may be empty: filters can contradict each other.
  const isIn = sql`p.state in (${sql.join(["", ...states].map((state) => sql.lit(state)))})`;
  return areOpen(states) ? sql`${IS_OPEN} and ${isIn}` : isIn;
}

/**
 * The best source for the filter's states. A player has few records, so their payouts are looked up; nearly
 * every record is paid, so paid ones are read from records; all others come from the open payouts.
 */
export function sourceOf(match: RecordMatch): RecordSource {
  if (match.states === null) {
    return RECORDS;
  }
  return match.user_name !== undefined || match.log_id !== undefined || !areOpen(match.states)
    ? RECORDS_WITH_PAYOUT
    : PAYOUTS;
}
