/** The latest day of a player with a round, for support (behaviour §4). */
import { dayBounds, formatDate } from "@red/contract/platform/datetime";
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { selectClock } from "#players/extra-time-sql";

export interface PlayerDay {
  /** `yyyy-MM-dd`; null if no round has started yet. */
  readonly day: string | null;
  readonly deposit_cents: bigint;
  /** Prizes won in the first, second and third round of the day, in any payout state. */
  readonly won_cents: readonly [bigint, bigint, bigint];
}

/**
 * Returns the latest business day, up to today by the clock of the database, on which a round
 * started that is not deleted. Returns null if there is none.
 */
async function selectLatestDay(db: Db, timeZone: string) {
  const today = dayBounds(formatDate(await selectClock(db), timeZone), timeZone);
  const latest = await db
    .selectFrom("activity")
    .select("start_time")
    .where("deleted_at", "is", null)
    .where("start_time", "<", today.end)
    .orderBy("start_time", "desc")
    .limit(1)
    .executeTakeFirst();
  return latest === undefined ? null : dayBounds(formatDate(latest.start_time, timeZone), timeZone);
}

/** Returns the deposits and prizes of a player on the latest day with a round. Rounds are ordered by start, then id. */
export async function selectPlayerDay(
  db: Db,
  player_key: number,
  timeZone: string,
): Promise<PlayerDay> {
  const day = await selectLatestDay(db, timeZone);
  if (day === null) {
    return { day: null, deposit_cents: 0n, won_cents: [0n, 0n, 0n] };
  }
  const { rows } = await sql<{ deposits: bigint; first: bigint; second: bigint; third: bigint }>`
    with round as (
      select id, row_number() over (order by start_time, id) as place
      from activity
      where deleted_at is null
        and start_time >= ${day.start}::timestamptz and start_time < ${day.end}::timestamptz
      order by start_time, id
      limit 3
    ), won as (
      select round.place, sum(r.award_price_cents) as cents
      from round
      join draw_record r on r.rounds_id = round.id and r.player_key = ${player_key}::bigint
      group by round.place
    )
    select
      coalesce((select sum(d.amount_cents) from deposit d
        where d.player_key = ${player_key}::bigint and d.reversed_at is null
          and d.created_at >= ${day.start}::timestamptz
          and d.created_at < ${day.end}::timestamptz), 0) as deposits,
      coalesce((select cents from won where place = 1), 0) as first,
      coalesce((select cents from won where place = 2), 0) as second,
      coalesce((select cents from won where place = 3), 0) as third`.execute(db);
  const { deposits: deposit_cents, first, second, third } = oneRow(rows);
  return {
    day: formatDate(day.start, timeZone),
    deposit_cents,
    won_cents: [first, second, third],
  };
}
