/**
 * The inputs of a player's draw chances (behaviour §4): counting deposits or bets, records and extra times.
 */
import { dayBounds, formatDate } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import type { NamedRound } from "@red/contract/event-filter";
import type { PlatformCode } from "@red/contract/lookups";
import { countedRule, FACTS_MAX, NO_FACTS } from "@red/engine/chances";
import type { Chances, DrawLimits, EarningFacts, RoundRule } from "@red/engine/chances";
import { sql } from "kysely";
import { allOf, anyId } from "#platform/sql-parts";
import type { Db } from "#platform/connection";
import { oneRow } from "#platform/one-row";
import { selectEventFacts } from "./event-facts-sql.ts";
import { selectClock } from "./extra-time-sql.ts";

/** A round with its rule, and the time window of the rule; the second of its end is included. */
export interface ChanceRound extends RoundRule, DrawLimits {
  readonly achieve_start_time: Date;
  readonly achieve_end_time: Date;
  /** Only bets on these count; null: on all. */
  readonly platforms: readonly PlatformCode[] | null;
  readonly id: number;
  readonly rounds_name: string;
  readonly tag: string;
  readonly turnover: number;
  readonly start_time: Date;
  readonly end_time: Date;
  /** By the database's clock, no future row can count. */
  readonly is_window_over: boolean;
}

/** A player's used chances in a round, and the remaining extra times. */
export interface ChanceUse {
  /** Records in the round. */
  readonly already: number;
  readonly extra_used_here: number;
  /** Extra times of the group, unused and not expired. */
  readonly extra_unused: number;
}

function rounds(db: Db) {
  return db
    .selectFrom("activity as a")
    .select(["a.id", "a.rounds_name", "a.tag", "a.turnover", "a.start_time", "a.end_time"])
    .select(["a.condition_name", "a.condition_formula", "a.condition_type"])
    .select(["a.condition_value_cents", "a.condition_times"])
    .select(["a.achieve_start_time", "a.achieve_end_time"])
    .select(["a.platforms", "a.draws_max", "a.day_draws_max"])
    .select(
      sql<boolean>`statement_timestamp() >= a.achieve_end_time + interval '1 second'`.as(
        "is_window_over",
      ),
    )
    .where("a.deleted_at", "is", null);
}

/** A round by its id; null when it does not exist or was deleted. */
export async function selectRound(db: Db, rounds_id: number): Promise<ChanceRound | null> {
  return (await rounds(db).where("a.id", "=", anyId(rounds_id)).executeTakeFirst()) ?? null;
}

/** A round by its id, else by the business day of its start and its name. Throws activity_not_found. */
export async function requireRound(
  db: Db,
  { rounds_id, start_date, rounds_name }: NamedRound,
): Promise<ChanceRound> {
  const isNamed = sql<boolean>`a.start_date = ${start_date} and a.rounds_name = ${rounds_name}`;
  const round =
    rounds_id === undefined
      ? await rounds(db).where(isNamed).executeTakeFirst()
      : await selectRound(db, rounds_id);
  if (!round) {
    throw new AppError("activity_not_found");
  }
  return round;
}

/**
 * At most `limit` rounds that are not deleted, newest start first. `active`: only active ones between their
 * start and the end of their last second, by the database's clock.
 */
export async function selectRounds(
  db: Db,
  options: { readonly active: boolean; readonly limit: number },
): Promise<ChanceRound[]> {
  const isActive = sql`a.rounds_status = 1 and statement_timestamp() >= a.start_time
    and statement_timestamp() < a.end_time + interval '1 second'`;
  return await rounds(db)
    .where(allOf(options.active && isActive))
    .orderBy("a.start_time", "desc")
    .orderBy("a.id", "desc")
    .limit(options.limit)
    .execute();
}

/**
 * At most `limit` rounds between their start and the end of their last second, paused ones included, newest
 * start first; without any, the latest started round.
 */
export async function selectPresentRounds(db: Db, limit: number) {
  const begun = rounds(db)
    .where(sql<boolean>`a.start_time <= statement_timestamp()`)
    .orderBy("a.start_time", "desc")
    .orderBy("a.id", "desc");
  const current = await begun
    .where(sql<boolean>`statement_timestamp() < a.end_time + interval '1 second'`)
    .limit(limit)
    .execute();
  return current.length > 0
    ? { rounds: current, are_current: true }
    : { rounds: await begun.limit(1).execute(), are_current: false };
}

/**
 * The players' facts under the rule. One statement reads only the table that the
 * rule counts, through (player_key, created_at), in the partitions of its window. No limit and whitelist read
 * no rows. Unknown player_keys are left out. Throws RangeError as `countedRule` does.
 */
export async function selectEarningFacts(
  db: Db,
  rule: ChanceRound,
  player_keys: readonly number[],
): Promise<Map<number, EarningFacts>> {
  const counted = countedRule(rule);
  if (counted === null) {
    const rows = await db
      .selectFrom("player")
      .select("player_key")
      .where("player_key", "=", sql<number>`any(${player_keys}::bigint[])`)
      .execute();
    return new Map(rows.map(({ player_key }) => [player_key, NO_FACTS]));
  }
  const window = {
    start: rule.achieve_start_time,
    end: rule.achieve_end_time,
    value_cents: counted.value_cents,
    limit: FACTS_MAX,
    platforms: rule.platforms ?? [],
  };
  return await selectEventFacts(db, counted.source, window, player_keys);
}

/**
 * The chances that the player has used in the round and the group's remaining extra times, by the database's clock. An
 * extra time is marked as used in the transaction of its record, so the records count both.
 */
export async function selectChanceUse(
  db: Db,
  rounds_id: number,
  tag: string,
  player_key: number,
): Promise<ChanceUse> {
  const { rows } = await sql<ChanceUse>`
    select r.already, r.extra_used_here, e.extra_unused
    from (
      select count(*) as already, count(extra_time_id) as extra_used_here
      from draw_record where player_key = ${player_key}::bigint and rounds_id = ${rounds_id}::int
    ) r
    cross join (
      select count(*) as extra_unused
      from extra_time
      where player_key = ${player_key}::bigint and tag = ${tag} and used_log_id is null
        and expire_time > statement_timestamp() - interval '1 second'
    ) e`.execute(db);
  return oneRow(rows);
}

/**
 * The starts of yesterday, today, tomorrow and the day after, by this process's clock unless `now` is given: whoever uses
 * them takes the day of the database's clock.
 */
export function daysAround(timeZone: string, now: Date = new Date()): string[] {
  const today = dayBounds(formatDate(now, timeZone), timeZone);
  const yesterday = dayBounds(formatDate(new Date(today.start.getTime() - 1), timeZone), timeZone);
  const tomorrow = dayBounds(formatDate(today.end, timeZone), timeZone);
  return [yesterday.start, today.start, today.end, tomorrow.end].map((at) => at.toISOString());
}

/** The player's draws of today, over all rounds; 0 in a round without a limit of them. */
export async function selectDrawnToday(
  db: Db,
  { day_draws_max }: DrawLimits,
  player_key: number,
  timeZone: string,
): Promise<number> {
  if (day_draws_max === null) {
    return 0;
  }
  const now = await selectClock(db);
  const { rows } = await sql<{ drawn: number }>`
    select coalesce(sum(drawn), 0)::integer as drawn
    from draws_of_day(array[${player_key}::bigint], ${daysAround(timeZone, now)}::timestamptz[], ${now})`.execute(
    db,
  );
  return oneRow(rows).drawn;
}

/** A player's chances in a round, and the amount missing for the next one. */
export interface PlayerChances extends Chances {
  /** Null when no amount can earn one: the rule's maximum is reached, or its window is over. */
  readonly next: { readonly source: "deposit" | "bet"; readonly missing_cents: number } | null;
}
