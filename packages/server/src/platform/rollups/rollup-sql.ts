/**
 * Rollups count the rows of a list by minute, hour, day (UTC) and codes (rollup-rows.sql), so the cost of a total or a
 * page does not depend on its position. Triggers write deltas, a job folds them, and readers add both in one statement,
 * so a total is always exact.
 */
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { EVENT_EPOCH_MS, IDS_PER_MINUTE } from "#platform/db/time-ids";

export const ROLLED_UP = [
  "deposit",
  "bet",
  "draw_record",
  "extra_time",
  "payout",
  "audit_log",
] as const;

export type RolledUp = (typeof ROLLED_UP)[number];

/** Ids of extra times are plain numbers without a time. This many ids count as one minute. */
export const EXTRA_TIMES_PER_MINUTE = 256;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/**
 * The latest time that an id can express, and so the latest row of a list. It is a whole minute, so no minute is split
 * here.
 */
const LAST_MS = EVENT_EPOCH_MS + Math.floor(Number.MAX_SAFE_INTEGER / IDS_PER_MINUTE) * MINUTE_MS;

export interface Span {
  readonly start: Date;
  /** Exclusive. */
  readonly end: Date;
}

/**
 * A time range as whole minutes since 2020-01-01 UTC, from `from` (inclusive) to `to` (exclusive), and the partial
 * minutes at both ends.
 */
export interface Minutes {
  readonly from: number;
  readonly to: number;
  /** The partial minute `to`. May be empty. */
  readonly newer: Span;
  /** The partial minute `from - 1`. May be empty. */
  readonly older: Span;
}

/** Null means no limit. An end before the start gives an empty range. */
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

/** Folds the deltas and returns their number. Returns 0 while another process folds. */
export async function foldRollups(tx: Tx): Promise<number> {
  const { rows } = await sql<{ folded: number }>`select rollup_fold() as folded`.execute(tx);
  return oneRow(rows).folded;
}

/** Returns the days with rows or rollups, each as its first minute. */
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

/** Counts one day again and returns how many rollups were wrong (rollup-rebuild.sql). */
export async function rebuildRollupDay(tx: Tx, list: RolledUp, day: number): Promise<number> {
  const { rows } = await sql<{ mended: number }>`
    select rollup_rebuild(${list}, ${day}::bigint) as mended`.execute(tx);
  return oneRow(rows).mended;
}
