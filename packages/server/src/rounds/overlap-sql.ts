import { formatDateTime } from "@red/contract/platform/datetime";
import type { Overlap } from "@red/contract/rounds/activity";
import { sharedThings } from "@red/engine/overlap";
import type { OverlapRound } from "@red/engine/overlap";
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import { liveActivities } from "./activity-sql.ts";
import type { ActivityRow } from "./activity-sql.ts";

const NEIGHBOURS_MAX = 500;

/** The round to compare. `id` is 0 for a new round. */
export interface ComparedRound extends OverlapRound {
  readonly id: number;
}

function roundOf(row: ActivityRow): OverlapRound {
  return {
    pool_name: row.pool_name,
    tag: row.tag,
    condition_name: row.condition_name,
    platforms: row.platforms,
    achieve_start_ms: row.achieve_start_time.getTime(),
    achieve_end_ms: row.achieve_end_time.getTime(),
    start_ms: row.start_time.getTime(),
    end_ms: row.end_time.getTime(),
  };
}

/**
 * Returns the other rounds that have not ended by the clock of the database and whose windows
 * overlap a window of this round.
 */
async function selectNeighbours(db: Db, compared: ComparedRound): Promise<ActivityRow[]> {
  const instant = (ms: number) => sql<Date>`${new Date(ms)}::timestamptz`;
  return await liveActivities(db)
    .selectAll("a")
    .select("p.pool_name")
    .where("a.id", "<>", sql<number>`${compared.id}::bigint`)
    .where(sql<boolean>`a.end_time + interval '1 second' > now()`)
    .where((row) =>
      row.or([
        row.and([
          row("a.start_time", "<=", instant(compared.end_ms)),
          row("a.end_time", ">=", instant(compared.start_ms)),
        ]),
        row.and([
          row("a.achieve_start_time", "<=", instant(compared.achieve_end_ms)),
          row("a.achieve_end_time", ">=", instant(compared.achieve_start_ms)),
        ]),
      ]),
    )
    .orderBy("a.start_time")
    .orderBy("a.id")
    .limit(NEIGHBOURS_MAX)
    .execute();
}

/** Returns the rounds that share something with this round, earliest start first, in API form. */
export async function selectOverlaps(
  db: Db,
  compared: ComparedRound,
  timeZone: string,
): Promise<Overlap[]> {
  const rows = await selectNeighbours(db, compared);
  const overlaps = rows.map((row) => ({
    id: row.id,
    rounds_name: row.rounds_name,
    start_time: formatDateTime(row.start_time, timeZone),
    end_time: formatDateTime(row.end_time, timeZone),
    rounds_status: row.rounds_status,
    shares: [...sharedThings(compared, roundOf(row))],
  }));
  return overlaps.filter(({ shares }) => shares.length > 0);
}
