/**
 * Rollups count a list's rows per minute, hour and day (UTC) and codes (rollup-rows.sql), so that a total or a page
 * costs the same wherever it lies. Triggers write deltas, a job folds them, and readers add both in one
 * statement: a total is exact at every instant.
 */
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { EVENT_EPOCH_MS, IDS_PER_MINUTE } from "#platform/db/time-ids";

/** Lists with rollups, by table. */
export const ROLLED_UP = [
  "deposit",
  "bet",
  "draw_record",
  "extra_time",
  "payout",
  "audit_log",
] as const;

export type RolledUp = (typeof ROLLED_UP)[number];

/** Extra times have numbers, not times, as ids: so many stand for a minute. */
export const EXTRA_TIMES_PER_MINUTE = 256;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** Where ids end, and with them what a list can hold; a whole minute, so that no bound divides it. */
const LAST_MS = EVENT_EPOCH_MS + Math.floor(Number.MAX_SAFE_INTEGER / IDS_PER_MINUTE) * MINUTE_MS;

export interface Span {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
}

/** A time range as whole minutes since 2020-01-01 UTC, `from` to before `to`, and the broken ones beside. */
export interface Minutes {
  readonly from: number;
  readonly to: number;
  /** Within minute `to`; may be empty. */
  readonly newer: Span;
  /** Within minute `from - 1`; may be empty. */
  readonly older: Span;
}

/** Null: no bound. An end before its start makes an empty range. */
export function minutesOf(start: Date | null, end: Date | null): Minutes {
  const first = Math.max(start?.getTime() ?? EVENT_EPOCH_MS, EVENT_EPOCH_MS);
  const last = Math.max(Math.min(end?.getTime() ?? LAST_MS, LAST_MS), first);
  const to = Math.floor((last - EVENT_EPOCH_MS) / MINUTE_MS);
  const from = Math.min(Math.ceil((first - EVENT_EPOCH_MS) / MINUTE_MS), to);
  const startOf = (minute: number) => Math.max(EVENT_EPOCH_MS + minute * MINUTE_MS, first);
  return {
    from,
    to,
    newer: { start: new Date(startOf(to)), end: new Date(last) },
    older: { start: new Date(first), end: new Date(startOf(from)) },
  };
}

/** Adds the deltas up; answers how many there were, 0 while another process does it. */
export async function foldRollups(tx: Tx): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select rollup_fold() as folded`.execute(tx);
  return oneRow(rows).folded;
}

/** The days that hold rows or rollups, each by its first minute. */
export async function selectRollupDays(db: Db, list: RolledUp): Promise<number[]> {
  const ids = list === "extra_time" ? EXTRA_TIMES_PER_MINUTE : IDS_PER_MINUTE;
  const id = sql.ref(list === "payout" ? "log_id" : "id");
  const { rows } = await sql<{ day: number }>`
    select start as day from rollup where list = ${list} and width = ${DAY_MINUTES}::int
    union
    select generate_series(min(minute / ${DAY_MINUTES}), max(minute / ${DAY_MINUTES})) * ${DAY_MINUTES}
    from (
      select min(${id}) as id from ${sql.table(list)} union all select max(${id}) from ${sql.table(list)}
    ) ends
    cross join lateral (select id / ${ids}::bigint as minute) m
    order by day`.execute(db);
  return rows.map((row) => row.day);
}

/** Counts one day again; answers how many rollups were wrong (rollup-rebuild.sql). */
export async function rebuildRollupDay(tx: Tx, list: RolledUp, day: number): Promise<number> {
  const { rows } = await sql<{ mended: number }>`
    select rollup_rebuild(${list}, ${day}::bigint) as mended`.execute(tx);
  return oneRow(rows).mended;
}
