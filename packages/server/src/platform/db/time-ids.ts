/**
 * Ids that encode a time: of deposits, bets, records and audit rows. An id is (milliseconds since 2020-01-01 UTC) × 2^14 + a
 * slot, so ids are in order of time and one index serves both; a millisecond has room for 16,384 rows of a table. Rollups
 * count minutes since the same instant.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** 2020-01-01 UTC in milliseconds, where ids begin. */
export const EVENT_EPOCH_MS = 1_577_836_800_000;

/** Ids per millisecond. */
export const SLOTS = 2 ** 14;

export const IDS_PER_MINUTE = 60_000 * SLOTS;

/** The first id of a millisecond, limited to the range of ids. */
export function firstIdOf(ms: number): number {
  return Math.min(Math.max((ms - EVENT_EPOCH_MS) * SLOTS, 0), Number.MAX_SAFE_INTEGER);
}

/** SQL: the first id of an instant. */
export const idAt = (instant: RawBuilder<unknown>) =>
  sql`((floor(extract(epoch from ${instant}) * 1000)::bigint - ${sql.lit(EVENT_EPOCH_MS)}) * ${sql.lit(SLOTS)})`;

export const EPOCH = sql`timestamptz '2020-01-01 00:00+00'`;

/** SQL: the minute of an instant, since 2020-01-01 UTC. */
export const minuteOf = (instant: RawBuilder<unknown>) =>
  sql`floor(extract(epoch from ${instant} - ${EPOCH}) / 60)::bigint`;
