/**
 * Pages, totals and streams of deposits and bets. Ids encode created_at (event-sql.ts), so a time limit is given twice:
 * as ids for the index and as created_at for the partitions. Rows of one player are read through the player index.
 * Without a player, rollups give the number of rows and the position of a page.
 */
import { formatDateTime } from "@red/contract/platform/datetime";
import type { Bet } from "@red/contract/events/bet";
import type { Deposit } from "@red/contract/events/deposit";
import type { EventKind } from "@red/contract/events/event";
import { formatCents } from "@red/contract/platform/money";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import { fromSnapshot, streamRows } from "#platform/db/snapshot";
import { allOf } from "#platform/db/sql-parts";
import { EVENT_EPOCH_MS, firstIdOf } from "#platform/db/time-ids";
import { selectEventSums } from "./event-chunk-sql.ts";
import { arrivalOf, columnsOf, EVENT_COLUMNS, rowColumns } from "./event-columns.ts";
import type { EventCode, EventRow } from "./event-columns.ts";
import { minutesOf } from "#platform/rollups/rollup-sql";

/** Null means no limit. */
export interface EventTimes {
  readonly player_key: number | null;
  readonly start: Date | null;
  /** The end is exclusive. */
  readonly end: Date | null;
}

export interface EventFilter<K extends EventKind> extends EventTimes {
  readonly codes: Readonly<Partial<Record<EventCode<K>, number | undefined>>>;
}

export type ListedEvent<K extends EventKind> = EventRow<K> & { readonly user_name: string };

function isMatch<K extends EventKind>({ player_key, start, end, codes }: EventFilter<K>) {
  return allOf(
    ...Object.entries<number | undefined>(codes).map(
      ([code, value]) => value !== undefined && sql`e.${sql.ref(code)} = ${value}::smallint`,
    ),
    player_key !== null && sql`e.player_key = ${player_key}::bigint`,
    start !== null &&
      sql`e.created_at >= ${start}::timestamptz and e.id >= ${firstIdOf(start.getTime())}::bigint`,
    end !== null &&
      sql`e.created_at < ${end}::timestamptz and e.id < ${firstIdOf(end.getTime())}::bigint`,
  );
}

/** SQL: the arguments of rollup functions for a filter without a player: list, whole minutes, both codes. */
function rollupKey<K extends EventKind>(kind: K, { start, end, codes }: EventFilter<K>) {
  const { from, to } = minutesOf(start, end);
  const given: Readonly<Record<string, number | undefined>> = codes;
  const [a = null, b = null] = EVENT_COLUMNS[kind].codes.map((code) => {
    const value = given[code];
    return value === undefined ? null : [value];
  });
  return sql`${kind}, ${from}::bigint, ${to}::bigint, ${a}::bigint[], ${b}::bigint[]`;
}

/** SQL: number and cents of all matches, read row by row. An empty time range needs no read. */
function countedOneByOne<K extends EventKind>(kind: K, filter: EventFilter<K>) {
  const { cents, cancelled_at } = columnsOf(kind);
  const { start, end } = filter;
  if (start !== null && end !== null && start >= end) {
    return sql`select 0::bigint as n, 0::numeric as cents`;
  }
  return sql`
    select count(*) as n, coalesce(sum(${cents}) filter (where ${cancelled_at} is null), 0) as cents
    from ${sql.table(kind)} e
    where ${isMatch(filter)}`;
}

interface Page {
  readonly page: number;
  readonly size: number;
}

/** Returns the minutes that contain the page, newest first, and how many rows to skip. The rollups know them. */
async function selectPlaces<K extends EventKind>(
  db: Db,
  kind: K,
  filter: EventFilter<K>,
  { page, size }: Page,
): Promise<{ readonly starts: readonly number[]; readonly skip: number }> {
  const { newer, older } = minutesOf(filter.start, filter.end);
  const count = (span: typeof newer) =>
    sql`(select n from (${countedOneByOne(kind, { ...filter, ...span })}) x)`;
  const { rows } = await sql<{ start: number; skip: number }>`
    select start, skip from rollup_places(${rollupKey(kind, filter)}, ${count(newer)}, ${count(older)},
      ${(page - 1) * size}::bigint, ${size}::bigint) order by start desc`.execute(db);
  return { starts: rows.map(({ start }) => start), skip: rows[0]?.skip ?? 0 };
}

/** Minutes this close together are read as one range, because nothing between them matches. */
const NEAR_MINUTES = 5;

/**
 * SQL: whether the row is in one of these minutes since 2020-01-01 UTC, newest first. Constant limits let the database
 * use the index of their month; a join with a list of minutes would read whole months.
 */
function isInMinutes(starts: readonly number[]) {
  const spans: { from: number; to: number }[] = [];
  for (const start of starts) {
    const last = spans.at(-1);
    if (last !== undefined && last.from - start <= NEAR_MINUTES) {
      last.from = start;
    } else {
      spans.push({ from: start, to: start + 1 });
    }
  }
  const isIn = (minute: number, compared: RawBuilder<unknown>) => {
    const at = EVENT_EPOCH_MS + minute * 60_000;
    return sql`e.id ${compared} ${firstIdOf(at)}::bigint and e.created_at ${compared} ${new Date(at)}::timestamptz`;
  };
  const isOf = spans.map(({ from, to }) => sql`${isIn(from, sql`>=`)} and ${isIn(to, sql`<`)}`);
  return sql`(${sql.join(isOf, sql` or `)})`;
}

export async function selectEventPage<K extends EventKind>(
  db: Db,
  kind: K,
  filter: EventFilter<K>,
  page: Page,
): Promise<ListedEvent<K>[]> {
  const isOfAll = filter.player_key === null;
  const { starts, skip } = isOfAll
    ? await selectPlaces(db, kind, filter, page)
    : { starts: [], skip: (page.page - 1) * page.size };
  if (isOfAll && starts.length === 0) {
    return [];
  }
  const { rows } = await sql<ListedEvent<K>>`
    with e as materialized (
      select e.player_key, ${rowColumns(kind)} from ${sql.table(kind)} e
      where ${isMatch(filter)} and ${isOfAll ? isInMinutes(starts) : sql`true`}
      order by ${isOfAll ? sql`e.id desc` : sql`e.created_at desc, e.id desc`}
      limit ${page.size} offset ${skip}
    )
    select p.user_name, e.* from e join player p on p.player_key = e.player_key
    order by e.id desc`.execute(db);
  return rows;
}

/** The number of all matches, and the total amount of the matches that count. */
export interface EventTotals {
  readonly total: number;
  readonly amount_cents: bigint;
}

export async function selectEventTotals<K extends EventKind>(
  db: Db,
  kind: K,
  filter: EventFilter<K>,
): Promise<EventTotals> {
  const { player_key, start, end, codes } = filter;
  // Chunks do not contain codes.
  if (player_key !== null && Object.values(codes).every((code) => code === undefined)) {
    const span = { from: start, to: end };
    const { live, gone, live_cents } = oneRow(
      await selectEventSums(db, kind, 1, span, [player_key]),
    );
    return { total: live + gone, amount_cents: live_cents };
  }
  const { newer, older } = minutesOf(filter.start, filter.end);
  const counted =
    filter.player_key === null
      ? sql`
        select * from rollup_total(${rollupKey(kind, filter)})
        union all (${countedOneByOne(kind, { ...filter, ...newer })})
        union all (${countedOneByOne(kind, { ...filter, ...older })})`
      : countedOneByOne(kind, filter);
  const { rows } = await sql<EventTotals>`
    select sum(n)::bigint as total, sum(cents) as amount_cents from (${counted}) x`.execute(db);
  return oneRow(rows);
}

/** Streams all matches in pages, newest first. Leaving the loop releases the connection. */
export function streamEvents<K extends EventKind>(
  db: Db,
  kind: K,
  filter: EventFilter<K>,
): AsyncGenerator<ListedEvent<K>[]> {
  const events = sql<ListedEvent<K>>`
    select p.user_name, ${rowColumns(kind)}
    from ${sql.table(kind)} e
    join player p on p.player_key = e.player_key
    where ${isMatch(filter)}
    order by e.id desc`;
  return fromSnapshot(db, (snapshot) => streamRows(snapshot, events));
}

export function toDeposit(row: ListedEvent<"deposit">, timeZone: string): Deposit {
  return {
    user_name: row.user_name,
    amount: formatCents(row.amount_cents),
    ...arrivalOf(row, (instant) => formatDateTime(instant, timeZone)),
    order_no: row.no,
    channel: row.channel,
    client: row.client,
    reversed: row.cancelled_at !== null,
    reversed_at: row.cancelled_at && formatDateTime(row.cancelled_at, timeZone),
    reversal_reason: row.cancel_reason,
  };
}

export function toBet(row: ListedEvent<"bet">, timeZone: string): Bet {
  return {
    user_name: row.user_name,
    validBetAmount: formatCents(row.amount_cents),
    type: row.platform,
    ...arrivalOf(row, (instant) => formatDateTime(instant, timeZone)),
    bet_no: row.no,
    voided: row.cancelled_at !== null,
    voided_at: row.cancelled_at && formatDateTime(row.cancelled_at, timeZone),
    void_reason: row.cancel_reason,
  };
}
