/** Rounds that may have to do with another one, because they are drawn or counted at the same time. */
import { formatDateTime } from "@red/contract/datetime";
import type { Overlap, SharedThing } from "@red/contract/activity";
import { sharedThings } from "@red/engine/overlap";
import type { OverlapRound } from "@red/engine/overlap";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import type { Db } from "#platform/connection";
import type { Database } from "#platform/schema";

/** More rounds at one time are looked at no further: what is told of so many helps nobody. */
const LOOKED_AT_MAX = 500;

type Row = Selectable<Database["activity"]> & { readonly pool_name: string };

/** A round that is asked about; `id` 0 for a new one. */
export interface AskedRound extends OverlapRound {
  readonly id: number;
}

function roundOf(row: Row): OverlapRound {
  return {
    pool_name: row.pool_name,
    tag: row.tag,
    condition_name: row.condition_name,
    achieve_start_ms: row.achieve_start_time.getTime(),
    achieve_end_ms: row.achieve_end_time.getTime(),
    start_ms: row.start_time.getTime(),
    end_ms: row.end_time.getTime(),
  };
}

/** Other rounds that are not over, by the database's clock, and touch one of its windows. */
async function selectNeighbours(db: Db, asked: AskedRound): Promise<Row[]> {
  const instant = (ms: number) => sql<Date>`${new Date(ms)}::timestamptz`;
  return await db
    .selectFrom("activity as a")
    .innerJoin("pool as p", "p.id", "a.pool_id")
    .selectAll("a")
    .select("p.pool_name")
    .where("a.deleted_at", "is", null)
    .where("a.id", "<>", sql<number>`${asked.id}::bigint`)
    .where(sql<boolean>`a.end_time + interval '1 second' > now()`)
    .where((row) =>
      row.or([
        row.and([
          row("a.start_time", "<=", instant(asked.end_ms)),
          row("a.end_time", ">=", instant(asked.start_ms)),
        ]),
        row.and([
          row("a.achieve_start_time", "<=", instant(asked.achieve_end_ms)),
          row("a.achieve_end_time", ">=", instant(asked.achieve_start_ms)),
        ]),
      ]),
    )
    .orderBy("a.start_time")
    .orderBy("a.id")
    .limit(LOOKED_AT_MAX)
    .execute();
}

/** A round with what it shares with the one that was asked about. */
export interface OverlapRow {
  readonly row: Row;
  readonly shares: readonly SharedThing[];
}

/** The rounds that share something with it, earliest start first. */
export async function selectOverlaps(db: Db, asked: AskedRound): Promise<OverlapRow[]> {
  const rows = await selectNeighbours(db, asked);
  return rows
    .map((row) => ({ row, shares: sharedThings(asked, roundOf(row)) }))
    .filter(({ shares }) => shares.length > 0);
}

/** As it is on the wire. */
export function toOverlap({ row, shares }: OverlapRow, timeZone: string): Overlap {
  return {
    id: row.id,
    rounds_name: row.rounds_name,
    start_time: formatDateTime(row.start_time, timeZone),
    end_time: formatDateTime(row.end_time, timeZone),
    rounds_status: row.rounds_status,
    shares: [...shares],
  };
}
