/**
 * What deposits and bets share: partitions by UTC month, and ids that encode `created_at`. An id is
 * (milliseconds since 2020-01-01 UTC) × 2^14 + a slot, so ids are in order of time and one index serves both;
 * a millisecond has room for 16,384 rows of a table.
 */
import type { EventKind } from "@red/contract/explanation";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { inTransaction } from "#platform/connection";
import type { Db, Tx } from "#platform/connection";
import { columnsOf } from "./event-columns.ts";
import { lockPlayerNames } from "./player-sql.ts";

/** Identifies a deposit or bet: its number and `created_at`, to the millisecond. */
export interface EventIdentity {
  readonly no: string;
  readonly created_at: Date;
}

export function identityOf({ no, created_at }: EventIdentity): string {
  return `${created_at.getTime()} ${no}`;
}

export interface EventReversal extends EventIdentity {
  readonly reason: string | null;
}

const DAY_MS = 86_400_000;

/** 2020-01-01 UTC in milliseconds, where ids begin. */
export const EVENT_EPOCH_MS = 1_577_836_800_000;

/** Ids per millisecond. */
export const SLOTS = 2 ** 14;

/** The first id of a millisecond, limited to the range of ids; records use the same ids. */
export function firstIdOf(ms: number): number {
  return Math.min(Math.max((ms - EVENT_EPOCH_MS) * SLOTS, 0), Number.MAX_SAFE_INTEGER);
}

/** SQL: the instant of these milliseconds, and of the column `at` of the current row `x`. */
export const instantOf = (ms: RawBuilder<unknown> | number) =>
  sql`(timestamptz 'epoch' + ${ms}::bigint * interval '1 ms')`;
export const CREATED_AT = instantOf(sql`x.at`);

/** First day of the UTC month. */
export function monthOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 7)}-01`;
}

/** First days of the UTC months of these milliseconds, distinct and in order. */
export function monthsOf(instants: readonly number[]): string[] {
  const days = new Set(instants.map((at) => Math.floor(at / DAY_MS)));
  return [...new Set([...days].map((day) => monthOf(new Date(day * DAY_MS))))].toSorted();
}

/**
 * Creates the missing partitions of these months. Attaching one blocks changes of players until the
 * transaction ends, so call it after the lock on names and before any other lock on players.
 */
export async function ensureMonths(
  tx: Tx,
  kind: EventKind,
  months: readonly string[],
): Promise<void> {
  if (months.length === 0) {
    return;
  }
  const { rows } = await sql<{ month: string }>`
    select month from unnest(${months}::date[]) as month
    where to_regclass(${kind} || to_char(month, '_YYYYMM')) is null
    order by month`.execute(tx);
  if (rows.length === 0) {
    return;
  }
  await lockPlayerNames(tx);
  // A table lock also makes this session see partitions that others attached.
  await sql`lock table ${sql.table(kind)} in share update exclusive mode`.execute(tx);
  await sql`
    select ensure_month(${kind}, month)
    from unnest(${rows.map((row) => row.month)}::date[]) as month order by month`.execute(tx);
}

/**
 * Makes the partitions of this month and the next, by the database's clock in UTC, where they are missing: before the first
 * row needs them, so that no call waits for one.
 */
export async function makeMonths(db: Db): Promise<{ readonly months: number }> {
  let made = 0;
  for (const kind of ["deposit", "bet"] as const) {
    const { rows } = await sql<{ month: string }>`
      select to_char(month, 'YYYY-MM-DD') as month
      from (select date_trunc('month', now() at time zone 'UTC') + ahead * interval '1 month' as month
        from generate_series(0, 1) as ahead) as m
      where to_regclass(${kind} || to_char(month, '_YYYYMM')) is null
      order by month`.execute(db);
    for (const { month } of rows) {
      await inTransaction(db, (tx) => ensureMonths(tx, kind, [month]));
      made += 1;
    }
  }
  return { months: made };
}

/** Columns of identities with their time range, which limits the partitions to read. */
function identityColumns(rows: readonly EventIdentity[]) {
  const instants = rows.map((row) => row.created_at.toISOString());
  const sorted = instants.toSorted();
  const first = sorted.at(0) ?? "infinity";
  const last = sorted.at(-1) ?? "-infinity";
  return { nos: rows.map((row) => row.no), instants, first, last };
}

/** A stored deposit or bet. */
interface StoredEvent extends EventIdentity {
  readonly player_key: number;
  readonly gone: boolean;
}

/** The stored rows of these identities; missing ones are left out. */
export async function selectEvents(
  db: Db,
  kind: EventKind,
  identities: readonly EventIdentity[],
): Promise<StoredEvent[]> {
  const { nos, instants, first, last } = identityColumns(identities);
  const { no, cancelled_at } = columnsOf(kind);
  // The limit forces one index look-up per identity, in its own partition only.
  const { rows } = await sql<StoredEvent>`
    select x.no, x.created_at, e.player_key, e.${cancelled_at} is not null as gone
    from unnest(${nos}::text[], ${instants}::timestamptz[]) as x (no, created_at)
    cross join lateral (
      select * from ${sql.table(kind)} e
      where e.${no} = x.no and e.created_at = x.created_at
        and e.created_at between ${first}::timestamptz and ${last}::timestamptz
      limit 1
    ) e`.execute(db);
  return rows;
}

/** Marks rows as reversed or void now. Returns those that were not marked before. */
export async function cancelEvents(
  tx: Tx,
  kind: EventKind,
  reversals: readonly EventReversal[],
): Promise<EventIdentity[]> {
  const { nos, instants, first, last } = identityColumns(reversals);
  const { no, cancelled_at, cancel_reason } = columnsOf(kind);
  const { rows } = await sql<EventIdentity>`
    update ${sql.table(kind)} e set ${cancelled_at} = statement_timestamp(), ${cancel_reason} = x.reason
    from unnest(${nos}::text[], ${instants}::timestamptz[],
                ${reversals.map((reversal) => reversal.reason)}::text[])
      as x (no, created_at, reason)
    where e.${no} = x.no and e.created_at = x.created_at and e.${cancelled_at} is null
      and e.created_at between ${first}::timestamptz and ${last}::timestamptz
    returning e.${no} as no, e.created_at`.execute(tx);
  return rows;
}
