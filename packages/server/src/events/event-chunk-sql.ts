/**
 * Adds up the deposits or bets of one player. A player with very many rows has chunks: totals over
 * about `CHUNK_ROWS` rows each, from the oldest row on, for each condition value and set of
 * platforms in use. A total uses the chunks inside its time window and reads only the rows between
 * and after them. The database updates chunks with the rows (adjust-event-chunk.sql). Deleting a
 * chunk only costs time: the next reader of many rows requests it again (event-chunk-job.ts).
 */
import type { EventKind } from "@red/contract/events/event";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { columnsOf } from "./event-columns.ts";

const CHUNK_ROWS = 1_000;

/**
 * Maximum rows of a chunk: adjust-event-chunk.sql deletes a chunk that grows to it. If a gap
 * between chunks has more rows, a chunk is missing.
 */
const CHUNK_ROWS_MAX = 2_000;

/** A player with fewer rows can be read just as fast without chunks. */
export const MANY_ROWS = 6_000;

export const CHUNK_CHANNEL = "event_chunk";

/** A time window. Null means no limit; `to` is exclusive. */
export interface EventSpan {
  readonly from: Date | null;
  readonly to: Date | null;
}

export interface ChunkOwner {
  readonly kind: EventKind;
  readonly player_key: number;
  /** The condition value whose multiples are counted; 1 if `fulls` is not used. */
  readonly value_cents: number;
  /** For bets: only bets on these platforms are added up. An empty list means all platforms. */
  readonly platforms: readonly number[];
}

/** Totals of rows. `live` rows count; `gone` rows were reversed or voided. */
export interface RowSums {
  readonly live: number;
  readonly live_cents: bigint;
  readonly max_cents: number;
  readonly fulls: bigint;
  readonly gone: number;
  readonly gone_cents: bigint;
}

/** SQL: whether the bet `e` is on one of the platforms. True for an empty list. */
export function onPlatforms(platforms: readonly number[]) {
  return platforms.length === 0 ? sql`true` : sql`e.platform = any(${platforms}::smallint[])`;
}

/** SQL: the `RowSums` of the rows `e` of a kind, in the column order of `event_chunk`. */
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

/** A range of rows: from_at <= created_at < to_at. The driver reads ±infinity as a number. */
interface Stretch {
  readonly from_at: Date | number;
  readonly to_at: Date | number;
}

type Part = Stretch & RowSums;

const bound = (at: Date | number) =>
  sql`${typeof at === "number" ? (at < 0 ? "-infinity" : "infinity") : at.toISOString()}::timestamptz`;

/**
 * Returns the totals of the rows of each player in the range, without players that have no rows.
 * The statement reads one table only.
 */
async function selectRowSums(
  db: Db,
  owner: Omit<ChunkOwner, "player_key">,
  { from_at, to_at }: Stretch,
  player_keys: readonly number[],
): Promise<Map<number, RowSums & { readonly read: number }>> {
  const { kind, value_cents, platforms } = owner;
  const { rows } = await sql<RowSums & { player_key: number; read: number }>`
    select e.player_key, ${sumsOf(kind, value_cents, platforms)}, count(*) as read
    from ${sql.table(kind)} e
    where e.player_key = any(${player_keys}::bigint[])
      and e.created_at >= ${bound(from_at)} and e.created_at < ${bound(to_at)}
    group by e.player_key`.execute(db);
  return new Map(rows.map(({ player_key, ...sums }) => [player_key, sums]));
}

export interface EventSums extends RowSums {
  readonly player_key: number;
}

const NO_SUMS: RowSums = {
  live: 0,
  live_cents: 0n,
  max_cents: 0,
  fulls: 0n,
  gone: 0,
  gone_cents: 0n,
};

const plusSums = (a: RowSums, b: RowSums): RowSums => ({
  live: a.live + b.live,
  live_cents: a.live_cents + b.live_cents,
  max_cents: Math.max(a.max_cents, b.max_cents),
  fulls: a.fulls + b.fulls,
  gone: a.gone + b.gone,
  gone_cents: a.gone_cents + b.gone_cents,
});

/** Returns the parts of the range that lie between chunks, in order. */
function gapsOf(chunks: readonly Part[], whole: Stretch): Stretch[] {
  const starts = [whole.from_at, ...chunks.map(({ to_at }) => to_at)];
  const ends = [...chunks.map(({ from_at }) => from_at), whole.to_at];
  return starts
    .map((from_at, at) => ({ from_at, to_at: ends[at] ?? whole.to_at }))
    .filter(({ from_at, to_at }) => from_at < to_at);
}

/**
 * Returns one result per existing player. `platforms` as in `ChunkOwner`. A row that arrives
 * between reading the chunks and reading the rows counts only if it lies in a gap. That is safe,
 * because a draw checks the version of the player again.
 */
export async function selectEventSums(
  db: Db,
  kind: EventKind,
  value_cents: number,
  span: EventSpan,
  player_keys: readonly number[],
  platforms: readonly number[] = [],
): Promise<EventSums[]> {
  const whole: Stretch = { from_at: span.from ?? -Infinity, to_at: span.to ?? Infinity };
  const { rows } = await sql<{ player_key: number } & (Part | { from_at: null })>`
    select p.player_key, c.from_at, c.to_at, c.live, c.live_cents::numeric, c.max_cents, c.fulls::numeric,
      c.gone, c.gone_cents::numeric
    from player p
    left join event_chunk c on c.kind = ${kind} and c.player_key = p.player_key
      and c.value_cents = ${value_cents}::bigint and c.platforms = ${platforms}::smallint[]
      and c.from_at >= ${bound(whole.from_at)} and c.to_at <= ${bound(whole.to_at)}
    where p.player_key = any(${player_keys}::bigint[])
    order by c.from_at`.execute(db);
  const chunks = new Map<number, Part[]>(rows.map(({ player_key }) => [player_key, []]));
  for (const { player_key, ...part } of rows) {
    if (part.from_at !== null) {
      chunks.get(player_key)?.push(part);
    }
  }
  const owner = { kind, value_cents, platforms };
  const plain = [...chunks.keys()].filter((key) => chunks.get(key)?.length === 0);
  const sums = await selectRowSums(db, owner, whole, plain);
  const found: EventSums[] = [];
  for (const [player_key, parts] of chunks) {
    const read = [];
    for (const gap of parts.length === 0 ? [] : gapsOf(parts, whole)) {
      read.push((await selectRowSums(db, owner, gap, [player_key])).get(player_key));
    }
    const rest = [...read, sums.get(player_key)].filter((one) => one !== undefined);
    const most = parts.length === 0 ? MANY_ROWS : CHUNK_ROWS_MAX;
    const areMany = rest.some((one) => one.read > most);
    await askForChunks(db, { ...owner, player_key }, areMany);
    found.push({ player_key, ...[...parts, ...rest].reduce(plusSums, NO_SUMS) });
  }
  return found;
}

export async function askForChunks(db: Db, owner: ChunkOwner, areMany: boolean): Promise<void> {
  if (areMany) {
    await sql`select pg_notify(${CHUNK_CHANNEL}, ${JSON.stringify(owner)})`.execute(db);
  }
}

/** Returns the first time after the first `count` rows of the range, or null if the range has no more rows. */
async function selectStretchEnd(
  tx: Tx,
  kind: EventKind,
  player_key: number,
  { from_at, to_at }: Stretch,
  count: number,
): Promise<Date | null> {
  const isRow = sql`e.player_key = ${player_key}::bigint and e.created_at < ${bound(to_at)}`;
  const { rows: last } = await sql<{ at: Date }>`
    select e.created_at as at from ${sql.table(kind)} e
    where ${isRow} and e.created_at >= ${bound(from_at)}
    order by e.created_at offset ${count - 1} limit 1`.execute(tx);
  if (last[0] === undefined) {
    return null;
  }
  const { rows: next } = await sql<{ at: Date | null }>`
    select min(e.created_at) as at from ${sql.table(kind)} e
    where ${isRow} and e.created_at > ${last[0].at}::timestamptz`.execute(tx);
  return oneRow(next).at;
}

/**
 * Creates the first missing chunk. Returns false if only the newest rows have no chunk and are too
 * few for a chunk. Locks the player as ingest does, so that it sees every row.
 */
export async function makeEventChunk(
  tx: Tx,
  { kind, player_key, value_cents, platforms }: ChunkOwner,
  chunkRows: number = CHUNK_ROWS,
): Promise<boolean> {
  const isOwn = sql`c.kind = ${kind} and c.player_key = ${player_key}::bigint
    and c.value_cents = ${value_cents}::bigint and c.platforms = ${platforms}::smallint[]`;
  // A separate statement, so that the next one sees what was committed during this wait.
  await sql`
    select from player where player_key = ${player_key}::bigint for no key update`.execute(tx);
  const { rows: gaps } = await sql<{ from_at: Date | number; to_at: Date | null }>`
    select b.from_at,
      (select min(c.from_at) from event_chunk c where ${isOwn} and c.from_at > b.from_at) as to_at
    from (
      select '-infinity'::timestamptz as from_at
      union all
      select c.to_at from event_chunk c where ${isOwn}
    ) b
    where not exists (select from event_chunk c where ${isOwn} and c.from_at = b.from_at)
    order by b.from_at limit 1`.execute(tx);
  const [gap] = gaps;
  if (gap === undefined) {
    return false;
  }
  const { from_at } = gap;
  const rest = { from_at, to_at: gap.to_at ?? Infinity };
  const to_at = (await selectStretchEnd(tx, kind, player_key, rest, chunkRows)) ?? gap.to_at;
  if (to_at === null) {
    return false;
  }
  const owner = { kind, value_cents, platforms };
  const sums = (await selectRowSums(tx, owner, { from_at, to_at }, [player_key])).get(player_key);
  const { live, live_cents, max_cents, fulls, gone, gone_cents } = sums ?? NO_SUMS;
  await sql`
    insert into event_chunk values (${kind}, ${player_key}::bigint, ${value_cents}::bigint, ${bound(from_at)},
      ${bound(to_at)}, ${live}, ${live_cents}, ${max_cents}, ${fulls}, ${gone}, ${gone_cents}, ${platforms}::smallint[])`.execute(
    tx,
  );
  return true;
}
