/**
 * Ids of deposits, bets, records and audit rows contain a time: (milliseconds since 2020-01-01 UTC) × 2^14 + a slot. So
 * ids are in time order, one index serves both, and a table has room for 16,384 rows per millisecond. Rollups count
 * minutes since the same instant.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** 2020-01-01 UTC as Unix time in milliseconds. Ids begin here. */
export const EVENT_EPOCH_MS = 1_577_836_800_000;

export const SLOTS = 2 ** 14;

export const IDS_PER_MINUTE = 60_000 * SLOTS;

/** Returns the first id of a millisecond of Unix time, limited to the range of ids. */
export function firstIdOf(ms: number): number {
  return Math.min(Math.max((ms - EVENT_EPOCH_MS) * SLOTS, 0), Number.MAX_SAFE_INTEGER);
}

export const idAt = (instant: RawBuilder<unknown>) =>
  sql`((floor(extract(epoch from ${instant}) * 1000)::bigint - ${sql.lit(EVENT_EPOCH_MS)}) * ${sql.lit(SLOTS)})`;

export const EPOCH = sql`timestamptz '2020-01-01 00:00+00'`;

/** SQL: the number of whole minutes from 2020-01-01 UTC to an instant. */
export const minuteOf = (instant: RawBuilder<unknown>) =>
  sql`floor(extract(epoch from ${instant} - ${EPOCH}) / 60)::bigint`;
