/**
 * Pages, totals and streams of deposits and bets. Ids code created_at (event.ts): a page is found in
 * the index of ids, or for one player in that of the player, both newest first, and a time is given
 * twice, as ids for the index and as created_at for the partitions.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/connection";
import { STREAM_ROWS } from "#platform/connection";
import { firstIdOf } from "./event-sql.ts";
import type { EventTable } from "./event-sql.ts";

/** Which rows: null is no bound. */
export interface EventFilter {
  readonly player_key: number | null;
  readonly start: Date | null;
  /** The first instant that is not included. */
  readonly end: Date | null;
}

/** A table with what the list reads of it; its rows are called `e`. */
export interface EventSource {
  readonly table: EventTable;
  /** Columns beside `user_name`. */
  readonly columns: RawBuilder<unknown>;
  readonly cents: RawBuilder<unknown>;
  /** Null in rows that count. */
  readonly cancelled_at: RawBuilder<unknown>;
  /** The filter's other conditions. */
  readonly conditions: readonly RawBuilder<unknown>[];
}

function isMatch({ player_key, start, end }: EventFilter, source: EventSource) {
  const conditions = [
    ...source.conditions,
    ...(player_key === null ? [] : [sql`e.player_key = ${player_key}::bigint`]),
    ...(start === null
      ? []
      : [
          sql`e.created_at >= ${start}::timestamptz`,
          sql`e.id >= ${firstIdOf(start.getTime())}::bigint`,
        ]),
    ...(end === null
      ? []
      : [sql`e.created_at < ${end}::timestamptz`, sql`e.id < ${firstIdOf(end.getTime())}::bigint`]),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** One page, newest first. */
export async function selectEventPage<Row>(
  db: Db,
  source: EventSource,
  filter: EventFilter,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<Row[]> {
  // Both orders are the same; each has its index.
  const order = filter.player_key === null ? sql`e.id desc` : sql`e.created_at desc, e.id desc`;
  const { rows } = await sql<Row>`
    select p.user_name, e.*
    from (
      select e.id, e.player_key, ${source.columns} from ${sql.table(source.table)} e
      where ${isMatch(filter, source)}
      order by ${order}
      limit ${size} offset ${(page - 1) * size}
    ) e
    join player p on p.player_key = e.player_key
    order by e.id desc`.execute(db);
  return rows;
}

/** How many rows match, and the money of those that count. */
export interface EventTotals {
  readonly total: number;
  readonly amount_cents: bigint;
}

/** Exact, over all matches. */
export async function selectEventTotals(
  db: Db,
  source: EventSource,
  filter: EventFilter,
): Promise<EventTotals> {
  const { rows } = await sql<EventTotals>`
    select count(*) as total,
      coalesce(sum(${source.cents}) filter (where ${source.cancelled_at} is null), 0) as amount_cents
    from ${sql.table(source.table)} e
    where ${isMatch(filter, source)}`.execute(db);
  return rows[0] ?? { total: 0, amount_cents: 0n };
}

/** All matches, newest first, read as they are taken; who stops taking gives the connection back. */
export function streamEvents<Row>(
  db: Db,
  source: EventSource,
  filter: EventFilter,
): AsyncIterableIterator<Row & { readonly id: number }> {
  const events = sql<Row & { readonly id: number }>`(
    select p.user_name, e.id, ${source.columns}
    from ${sql.table(source.table)} e
    join player p on p.player_key = e.player_key
    where ${isMatch(filter, source)})`;
  // What is selected is what the raw query says; the builder cannot see into it.
  return db
    .selectFrom(events.as("found"))
    .selectAll()
    .orderBy(sql`found.id`, "desc")
    .stream(STREAM_ROWS) as AsyncIterableIterator<Row & { readonly id: number }>;
}
