/** Inserts deposits and bets, each with a free id in its millisecond (platform/db/time-ids.ts). */
import type { EventKind } from "@red/contract/events/event";
import { sql } from "kysely";
import { plainArray, textArray } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import { hasSqlState } from "#platform/db/constraints";
import { EVENT_EPOCH_MS, SLOTS } from "#platform/db/time-ids";
import { columnsOf } from "./event-columns.ts";
import { countEvents, CREATED_AT, identityOf } from "./event-sql.ts";
import type { CountedEvent, EventIdentity } from "./event-sql.ts";

const FIRST_ID = sql<number>`(x.at - ${EVENT_EPOCH_MS}::bigint) * ${SLOTS}::bigint`;

const UNIQUE_VIOLATION = "23505";

export interface NewEvent {
  readonly no: string;
  /** `created_at` in milliseconds. */
  readonly at: number;
  readonly player_key: number;
  readonly amount_cents: number;
  /** In the order of the columns of the kind. */
  readonly codes: readonly number[];
}

const standing = (event: NewEvent): CountedEvent => ({ ...event, gone: false });

/**
 * SQL: inserts the rows in order of time and number, so transactions with the same rows wait in one
 * order and cannot deadlock. The arrival time is read after every wait for a lock (behaviour §3).
 */
function insertOf(kind: EventKind, events: readonly NewEvent[], slots: readonly (number | null)[]) {
  const { no, cents, codes } = columnsOf(kind);
  const columns = sql.join([no, sql.ref("player_key"), cents, ...codes]);
  const given = codes.map(
    (_, at) => sql`${plainArray(events.map((event) => event.codes[at] ?? null))}::smallint[]`,
  );
  return sql`
    insert into ${sql.table(kind)} (id, created_at, received_at, ${columns})
    select ${FIRST_ID} + coalesce(x.slot, nextval('event_slot')), ${CREATED_AT}, clock_timestamp(), ${columns}
    from unnest(${plainArray(slots)}::int[], ${plainArray(events.map((event) => event.at))}::bigint[],
        ${textArray(events.map((event) => event.no))}::text[],
        ${plainArray(events.map((event) => event.player_key))}::bigint[],
        ${plainArray(events.map((event) => event.amount_cents))}::bigint[], ${sql.join(given)})
      as x (slot, at, ${columns})
    order by x.at, x.${no}`;
}

/**
 * Inserts all rows, or none; their identities must be distinct. Returns false if an identity exists
 * or an id is taken. Checking each row (`insertEvents`) would take 50% longer.
 */
export async function insertAllEvents(
  tx: Tx,
  kind: EventKind,
  events: readonly NewEvent[],
): Promise<boolean> {
  await sql`savepoint events`.execute(tx);
  try {
    await insertOf(kind, events, []).execute(tx);
    await countEvents(tx, kind, events.map(standing));
    return true;
  } catch (fault) {
    if (!hasSqlState(fault, UNIQUE_VIOLATION)) {
      throw fault;
    }
    await sql`rollback to savepoint events`.execute(tx);
    return false;
  }
}

/**
 * Inserts every row that it can, and returns the positions of the other rows. A row without a slot takes the next slot.
 */
export async function insertEvents(
  tx: Tx,
  kind: EventKind,
  events: readonly NewEvent[],
  slots: readonly (number | null)[],
): Promise<number[]> {
  const { no } = columnsOf(kind);
  const { rows } = await sql<EventIdentity>`
    ${insertOf(kind, events, slots)} on conflict do nothing returning ${no} as no, created_at`.execute(
    tx,
  );
  const inserted = new Set(rows.map(identityOf));
  const isIn = (event: NewEvent) =>
    inserted.has(identityOf({ no: event.no, created_at: new Date(event.at) }));
  await countEvents(tx, kind, events.filter(isIn).map(standing));
  return events.flatMap((event, position) => (isIn(event) ? [] : [position]));
}

/**
 * Prevents two calls with many rows of the same millisecond from writing at the same time: together they could use up
 * its slots and deadlock. `crowds` contains the milliseconds. Lock after names and months, before players.
 */
export async function lockCrowds(
  tx: Tx,
  kind: EventKind,
  crowds: readonly number[],
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtext(${kind}), crowd)
    from (
      select distinct hashint8(at) as crowd from unnest(${plainArray(crowds)}::bigint[]) as at
      order by crowd
    ) crowds`.execute(tx);
}

/**
 * Finds a free slot for each row of nearly full milliseconds, or null if the millisecond is full.
 * Reads every slot, so use it only for rows that could not take the next slot.
 */
export async function selectFreeSlots(
  db: Db,
  kind: EventKind,
  rows: readonly NewEvent[],
): Promise<(number | null)[]> {
  const { rows: found } = await sql<{ slot: number | null }>`
    with given as (
      select at, position, row_number() over (partition by at order by position) as turn
      from unnest(${plainArray(rows.map(({ at }) => at))}::bigint[]) with ordinality as given (at, position)
    ),
    taken as materialized (
      select e.id
      from unnest(${[...new Set(rows.map(({ at }) => at))]}::bigint[]) as x (at)
      join ${sql.table(kind)} e on e.id >= ${FIRST_ID} and e.id < ${FIRST_ID} + ${SLOTS}::int
        and e.created_at = ${CREATED_AT}
    )
    select free.slot
    from given g
    left join (
      select x.at, slot, row_number() over (partition by x.at order by slot) as turn
      from (select at, count(*) as wanted from given group by at) x
      cross join lateral (
        select slot from generate_series(0, ${SLOTS - 1}::int) as slot
        where not exists (select from taken where taken.id = ${FIRST_ID} + slot)
        limit x.wanted
      ) free
    ) free using (at, turn)
    order by g.position`.execute(db);
  return found.map(({ slot }) => slot);
}
