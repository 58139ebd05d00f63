/**
 * Reads the inputs for the draw chances of a player (behaviour §4): deposits or bets that count,
 * records and extra times.
 */
import { dayBounds, formatDate } from "@red/contract/platform/datetime";
import { countedRule, FACTS_MAX, NO_FACTS } from "@red/engine/chances";
import type { Chances, DrawLimits, EarningFacts } from "@red/engine/chances";
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import type { ChanceRound } from "#rounds/activity-sql";
import { selectEventFacts } from "#events/event-facts-sql";
import { selectClock } from "#players/extra-time-sql";

export interface ChanceUse {
  readonly already: number;
  readonly extra_used_here: number;
  /** Number of extra times of the group that are unused and not expired. */
  readonly extra_unused: number;
}

/**
 * Returns each player's facts under the rule, from the table that the rule counts and the partitions of its window. The
 * rules "no limit" and "whitelist" read only players. Skips unknown player_keys. Throws RangeError like `countedRule`.
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
 * Returns the used chances of the player in the round and the remaining extra times of the group, by the clock of the
 * database. A record and the mark of its extra time are written in one transaction, so counting the records is enough.
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
 * Returns the starts of yesterday, today, tomorrow and the day after, by the clock of this process
 * unless `now` is given. The database then picks the day by its own clock.
 */
export function daysAround(timeZone: string, now: Date = new Date()): string[] {
  const today = dayBounds(formatDate(now, timeZone), timeZone);
  const yesterday = dayBounds(formatDate(new Date(today.start.getTime() - 1), timeZone), timeZone);
  const tomorrow = dayBounds(formatDate(today.end, timeZone), timeZone);
  return [yesterday.start, today.start, today.end, tomorrow.end].map((at) => at.toISOString());
}

/** Returns the number of draws of the player today in all rounds, or 0 if the round has no daily limit. */
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

export interface PlayerChances extends Chances {
  /** Null if no amount can earn another chance: the maximum of the rule is reached, or its window is over. */
  readonly next: { readonly source: "deposit" | "bet"; readonly missing_cents: number } | null;
}
