/**
 * Sums over one player's deposits or bets. A player with very many has chunks: sums over stretches of about `CHUNK_ROWS`
 * rows from the oldest on, kept for each condition value, and set of platforms, that is asked for. A sum takes the chunks inside its span
 * and reads only the rows between and after them. The database keeps chunks equal to the rows (adjust-event-chunk.sql),
 * so deleting any of them only costs time: a reader of many rows asks for them again (event-chunk-job.ts).
 */
import type { EventKind } from "@red/contract/explanation";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/connection";
import { columnsOf } from "./event-columns.ts";

const CHUNK_ROWS = 1_000;

/** Rows at which a chunk is dropped (adjust-event-chunk.sql): where more lie between others, one is missing. */
const CHUNK_ROWS_MAX = 2_000;

/** With fewer rows a player without chunks is read as fast as one with them. */
export const MANY_ROWS = 6_000;

/** Asks a process to make chunks. */
export const CHUNK_CHANNEL = "event_chunk";

/** Null: no bound. `to` is exclusive. */
export interface EventSpan {
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface ChunkOwner {
  readonly kind: EventKind;
  readonly player_key: number;
  /** The amount whose fulls are counted; 1 where nobody asks for them. */
  readonly value_cents: number;
  /** Of bets: only those on these platforms are summed; empty: all. */
  readonly platforms: readonly number[];
}

/** Sums of rows: `live` ones count, `gone` ones were reversed or voided. */
export interface RowSums {
  readonly live: number;
  readonly live_cents: bigint;
  readonly max_cents: number;
  readonly fulls: bigint;
  readonly gone: number;
  readonly gone_cents: bigint;
}

/** SQL: is the bet `e` on one of the platforms? True for an empty list. */
export function onPlatforms(platforms: readonly number[]) {
  return platforms.length === 0 ? sql`true` : sql`e.platform = any(${platforms}::smallint[])`;
}

/** SQL: the `RowSums` of rows `e` of a kind, in the order of the columns of `event_chunk`. */
export function sumsOf(kind: EventKind, value_cents: number, platforms: readonly number[]) {
  const { cents, cancelled_at } = columnsOf(kind);
  const counts = sql`e.${cancelled_at} is null and ${onPlatforms(platforms)}`;
  const gone = sql`e.${cancelled_at} is not null and ${onPlatforms(platforms)}`;
  return sql`
    count(*) filter (where ${counts}) as live,
    coalesce(sum(e.${cents}) filter (where ${counts}), 0) as live_cents,
    coalesce(max(e.${cents}) filter (where ${counts}), 0) as max_cents,
    coalesce(sum(e.${cents} / ${value_cents}::bigint) filter (where ${counts}), 0) as fulls,
    count(*) filter (where ${gone}) as gone,
    coalesce(sum(e.${cents}) filter (where ${gone}), 0) as gone_cents`;
}

/** SQL: the span of player `p` in parts without overlap, chunks and what lies between, each with its sums. */
function partsOf(
  kind: EventKind,
  value_cents: number,
  platforms: readonly number[],
  { from, to }: EventSpan,
) {
  const start = sql`${from?.toISOString() ?? "-infinity"}::timestamptz`;
  const end = sql`${to?.toISOString() ?? "infinity"}::timestamptz`;
  return sql`(
    with chunk as materialized (
      select c.* from event_chunk c
      where c.kind = ${kind} and c.player_key = p.player_key and c.value_cents = ${value_cents}::bigint
        and c.platforms = ${platforms}::smallint[] and c.from_at >= ${start} and c.to_at <= ${end}
    ),
    gap as (
      select lag(c.to_at, 1, ${start}) over (order by c.from_at) as from_at, c.from_at as to_at from chunk c
      union all
      select coalesce(max(c.to_at), ${start}), ${end} from chunk c
    )
    select from_at, to_at, live, live_cents, max_cents, fulls, gone, gone_cents, 0 as read from chunk
    union all
    select g.from_at, g.to_at, r.*
    from gap g
    cross join lateral (
      select ${sumsOf(kind, value_cents, platforms)}, count(*) as read from ${sql.table(kind)} e
      where e.player_key = p.player_key and e.created_at >= g.from_at and e.created_at < g.to_at
    ) r
    where g.from_at < g.to_at
  )`;
}

export interface EventSums extends RowSums {
  readonly player_key: number;
}

/** One result per existing player. `platforms` as in `ChunkOwner`. */
export async function selectEventSums(
  db: Db,
  kind: EventKind,
  value_cents: number,
  span: EventSpan,
  player_keys: readonly number[],
  platforms: readonly number[] = [],
): Promise<EventSums[]> {
  const { rows } = await sql<EventSums & { are_many: boolean }>`
    select p.player_key, s.*
    from player p
    cross join lateral (
      select coalesce(sum(live), 0)::bigint as live, coalesce(sum(live_cents), 0)::numeric as live_cents,
        coalesce(max(max_cents), 0) as max_cents, coalesce(sum(fulls), 0)::numeric as fulls,
        coalesce(sum(gone), 0)::bigint as gone, coalesce(sum(gone_cents), 0)::numeric as gone_cents,
        coalesce(max(read) > case count(*) when 1 then ${sql.lit(MANY_ROWS)} else ${sql.lit(CHUNK_ROWS_MAX)} end,
          false) as are_many
      from ${partsOf(kind, value_cents, platforms, span)} part
    ) s
    where p.player_key = any(${player_keys}::bigint[])`.execute(db);
  for (const { player_key, are_many } of rows) {
    await askForChunks(db, { kind, player_key, value_cents, platforms }, are_many);
  }
  return rows.map(({ are_many: _areMany, ...row }) => row);
}

/** Asks for chunks if so many rows of the player had to be read. */
export async function askForChunks(db: Db, owner: ChunkOwner, areMany: boolean): Promise<void> {
  if (areMany) {
    await sql`select pg_notify(${CHUNK_CHANNEL}, ${JSON.stringify(owner)})`.execute(db);
  }
}

/**
 * Makes the first missing chunk. Holds the player as ingest does, so that no row of theirs is written but not yet seen.
 * False when only the newest rows are without one, too few to fill it.
 */
export async function makeEventChunk(
  tx: Tx,
  { kind, player_key, value_cents, platforms }: ChunkOwner,
  chunkRows: number = CHUNK_ROWS,
): Promise<boolean> {
  const isOwn = sql`c.kind = ${kind} and c.player_key = ${player_key}::bigint
    and c.value_cents = ${value_cents}::bigint and c.platforms = ${platforms}::smallint[]`;
  const isRow = sql`e.player_key = ${player_key}::bigint and e.created_at >= g.from_at
    and e.created_at < coalesce(g.to_at, 'infinity')`;
  // A statement of its own: the next one sees what was committed while this one waited.
  await sql`
    select from player where player_key = ${player_key}::bigint for no key update`.execute(tx);
  const { numAffectedRows = 0n } = await sql`
    insert into event_chunk
    select ${kind}, ${player_key}::bigint, ${value_cents}::bigint, piece.from_at, piece.to_at, s.*,
      ${platforms}::smallint[]
    from (
      select b.from_at,
        (select min(c.from_at) from event_chunk c where ${isOwn} and c.from_at > b.from_at) as to_at
      from (
        select '-infinity'::timestamptz as from_at
        union all
        select c.to_at from event_chunk c where ${isOwn}
      ) b
      where not exists (select from event_chunk c where ${isOwn} and c.from_at = b.from_at)
      order by b.from_at limit 1
    ) g
    cross join lateral (
      select g.from_at, coalesce(
        (select min(e.created_at) from ${sql.table(kind)} e
          where ${isRow} and e.created_at > (
            select e.created_at from ${sql.table(kind)} e where ${isRow}
            order by e.created_at offset ${chunkRows - 1} limit 1)),
        g.to_at) as to_at
    ) piece
    cross join lateral (
      select ${sumsOf(kind, value_cents, platforms)} from ${sql.table(kind)} e
      where e.player_key = ${player_key}::bigint
        and e.created_at >= piece.from_at and e.created_at < piece.to_at
    ) s
    where piece.to_at is not null`.execute(tx);
  return numAffectedRows > 0n;
}
