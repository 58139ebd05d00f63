/**
 * Pages, totals and streams of deposits and bets. Ids encode created_at (event-sql.ts). A page is read
 * through the index of ids, or of one player, newest first; a time bound is given twice, as ids for the index
 * and as created_at for the partitions.
 */
import { formatDateTime } from "@red/contract/datetime";
import type { Bet } from "@red/contract/bet";
import type { Deposit } from "@red/contract/deposit";
import type { EventKind } from "@red/contract/explanation";
import { formatCents } from "@red/contract/money";
import { sql } from "kysely";
import type { Db } from "#platform/connection";
import { fromSnapshot, streamRows } from "#platform/snapshot";
import { allOf } from "#platform/conditions";
import { columnsOf, rowColumns } from "./event-columns.ts";
import type { EventCode, EventRow } from "./event-columns.ts";
import { firstIdOf } from "./event-sql.ts";

/** Null: no bound. */
export interface EventTimes {
  readonly player_key: number | null;
  readonly start: Date | null;
  /** Exclusive. */
  readonly end: Date | null;
}

/** The times and the codes that rows must have. */
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

/** One page, newest first. */
export async function selectEventPage<K extends EventKind>(
  db: Db,
  kind: K,
  filter: EventFilter<K>,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<ListedEvent<K>[]> {
  // Both orders give the same result; each has its index.
  const order = filter.player_key === null ? sql`e.id desc` : sql`e.created_at desc, e.id desc`;
  const { rows } = await sql<ListedEvent<K>>`
    select p.user_name, e.*
    from (
      select e.player_key, ${rowColumns(kind)} from ${sql.table(kind)} e
      where ${isMatch(filter)}
      order by ${order}
      limit ${size} offset ${(page - 1) * size}
    ) e
    join player p on p.player_key = e.player_key
    order by e.id desc`.execute(db);
  return rows;
}

/** The number of all matches, and the sum of those that count. */
export interface EventTotals {
  readonly total: number;
  readonly amount_cents: bigint;
}

export async function selectEventTotals<K extends EventKind>(
  db: Db,
  kind: K,
  filter: EventFilter<K>,
): Promise<EventTotals> {
  const { cents, cancelled_at } = columnsOf(kind);
  const { rows } = await sql<EventTotals>`
    select count(*) as total,
      coalesce(sum(${cents}) filter (where ${cancelled_at} is null), 0) as amount_cents
    from ${sql.table(kind)} e
    where ${isMatch(filter)}`.execute(db);
  return rows[0] ?? { total: 0, amount_cents: 0n };
}

/** All matches, newest first, in pages; leaving the loop releases the connection. */
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

/** A row on the wire: times in `timeZone`, amounts as decimal text. */
export function toDeposit(row: ListedEvent<"deposit">, timeZone: string): Deposit {
  return {
    user_name: row.user_name,
    amount: formatCents(row.amount_cents),
    created_at: formatDateTime(row.created_at, timeZone),
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
    created_at: formatDateTime(row.created_at, timeZone),
    bet_no: row.no,
    voided: row.cancelled_at !== null,
    voided_at: row.cancelled_at && formatDateTime(row.cancelled_at, timeZone),
    void_reason: row.cancel_reason,
  };
}
