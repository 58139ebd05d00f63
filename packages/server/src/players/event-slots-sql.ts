/** Inserts deposits and bets, each under a free id of its millisecond (event-sql.ts). */
import type { EventKind } from "@red/contract/explanation";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/connection";
import { columnsOf } from "./event-columns.ts";
import { EVENT_EPOCH_MS, identityColumns, SLOTS } from "./event-sql.ts";
import type { EventIdentity } from "./event-sql.ts";

/** SQL: the first id of the millisecond of `created_at`, a column of the current row. */
const FIRST_ID = sql<number>`
  ((extract(epoch from x.created_at) * 1000)::bigint - ${EVENT_EPOCH_MS}::bigint) * ${SLOTS}::bigint`;

export interface NewEvent extends EventIdentity {
  readonly player_key: number;
  readonly amount_cents: number;
  /** In the order of the kind's columns. */
  readonly codes: readonly number[];
  /** Null takes the next free one. */
  readonly slot: number | null;
}

/**
 * Inserts rows and returns the inserted ones; the rest have an existing identity or hit a taken id. Rows go
 * in by time and number, so that transactions over the same rows wait in one order and cannot deadlock.
 */
export async function insertEvents(
  tx: Tx,
  kind: EventKind,
  events: readonly NewEvent[],
): Promise<EventIdentity[]> {
  const { nos, instants } = identityColumns(events);
  const { no, cents, codes } = columnsOf(kind);
  const columns = sql.join([no, sql.ref("player_key"), cents, ...codes]);
  const { rows } = await sql<EventIdentity>`
    insert into ${sql.table(kind)} (id, created_at, ${columns})
    select ${FIRST_ID} + coalesce(x.slot, nextval('event_slot')), x.created_at, ${columns}
    from (
      select * from unnest(${events.map((event) => event.slot)}::int[], ${instants}::timestamptz[],
        ${nos}::text[], ${events.map((event) => event.player_key)}::bigint[],
        ${events.map((event) => event.amount_cents)}::bigint[],
        ${sql.join(codes.map((_, at) => sql`${events.map((event) => event.codes[at])}::smallint[]`))})
        as given (slot, created_at, ${columns})
      order by created_at, ${no}
    ) x
    on conflict do nothing
    returning ${no} as no, created_at`.execute(tx);
  return rows;
}

/**
 * Keeps two calls with many rows of the same millisecond from writing at once: they could use up its slots
 * together and deadlock. `milliseconds` holds the `created_at` of such crowds. Lock after names and months,
 * before players.
 */
export async function lockCrowds(
  tx: Tx,
  kind: EventKind,
  milliseconds: readonly Date[],
): Promise<void> {
  const instants = milliseconds.map((at) => at.toISOString());
  await sql`
    select pg_advisory_xact_lock(hashtext(${kind}), crowd)
    from (
      select distinct hashtext(at) as crowd from unnest(${instants}::text[]) as at
      order by crowd
    ) crowds`.execute(tx);
}

/** The number of rows that a millisecond still needs room for. */
export interface WantedSlots {
  readonly created_at: Date;
  readonly count: number;
}

/**
 * Free slots of nearly full milliseconds, at most `count` of each. Reads every slot, so it is only for rows
 * that did not get the next one.
 */
export async function selectFreeSlots(
  db: Db,
  kind: EventKind,
  wanted: readonly WantedSlots[],
): Promise<{ created_at: Date; slot: number }[]> {
  const { rows } = await sql<{ created_at: Date; slot: number }>`
    select x.created_at, free.slot
    from unnest(${wanted.map((one) => one.created_at.toISOString())}::timestamptz[],
                ${wanted.map((one) => one.count)}::int[]) as x (created_at, count)
    cross join lateral (
      select slot from generate_series(0, ${SLOTS - 1}::int) as slot
      where not exists (
        select from ${sql.table(kind)} e
        where e.id = ${FIRST_ID} + slot and e.created_at = x.created_at
      )
      limit x.count
    ) free`.execute(db);
  return rows;
}
