/** Deposits and bets: partitions by UTC month, ids that encode `created_at` (platform/db/time-ids.ts), and writes. */
import { DAY_MS } from "@red/contract/platform/datetime";
import type { EventKind } from "@red/contract/events/event";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { firstIdOf } from "#platform/db/time-ids";
import { columnsOf, EVENT_COLUMNS } from "./event-columns.ts";
import { lockPlayerNames } from "#players/player-sql";

/** The identity of a deposit or bet: its number and `created_at`, to the millisecond. */
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

/** SQL: the time of these milliseconds. `CREATED_AT` is the time of the column `x.at`. */
export const instantOf = (ms: RawBuilder<unknown> | number) =>
  sql`(timestamptz 'epoch' + ${ms}::bigint * interval '1 ms')`;
export const CREATED_AT = instantOf(sql`x.at`);

export function monthOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 7)}-01`;
}

/** Returns the first days of the UTC months of these milliseconds, distinct and sorted. */
export function monthsOf(instants: readonly number[]): string[] {
  const days = new Set(instants.map((at) => Math.floor(at / DAY_MS)));
  return [...new Set([...days].map((day) => monthOf(new Date(day * DAY_MS))))].toSorted();
}

/**
 * Creates the missing partitions of these months. Attaching a partition blocks changes of players until the transaction
 * ends, so call this after the lock on names and before any other lock on players.
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
  // A table lock also makes this session see the partitions that other sessions attached.
  await sql`lock table ${sql.table(kind)} in share update exclusive mode`.execute(tx);
  await sql`
    select ensure_month(${kind}, month)
    from unnest(${rows.map((row) => row.month)}::date[]) as month order by month`.execute(tx);
}

/**
 * Creates the missing partitions of this month and the next (UTC, clock of the database) before the
 * first row needs them, so no call has to wait for a partition.
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

/** Returns the identities as columns, with their time range, which limits the partitions to read. */
function identityColumns(rows: readonly EventIdentity[]) {
  const instants = rows.map((row) => row.created_at.toISOString());
  const sorted = instants.toSorted();
  const first = sorted.at(0) ?? "infinity";
  const last = sorted.at(-1) ?? "-infinity";
  return { nos: rows.map((row) => row.no), instants, first, last };
}

interface StoredEvent extends EventIdentity {
  readonly player_key: number;
  readonly gone: boolean;
}

export async function selectEvents(
  db: Db,
  kind: EventKind,
  identities: readonly EventIdentity[],
): Promise<StoredEvent[]> {
  const { nos, instants, first, last } = identityColumns(identities);
  const { no, cancelled_at } = columnsOf(kind);
  // This statement reads only the rows, because they may be on other machines.
  const { rows } = await sql<StoredEvent>`
    with e as materialized (
      select e.${no} as no, e.created_at, e.player_key, e.${cancelled_at} is not null as gone
      from ${sql.table(kind)} e
      where e.${no} = any(${nos}::text[])
        and e.created_at between ${first}::timestamptz and ${last}::timestamptz
    )
    select e.* from e
    join unnest(${nos}::text[], ${instants}::timestamptz[]) as x (no, created_at) using (no, created_at)`.execute(
    db,
  );
  return rows;
}

/** A row with the values that rollups and chunks count. `gone` rows were reversed or voided. */
export interface CountedEvent {
  readonly at: number;
  readonly player_key: number;
  readonly amount_cents: number;
  /** In the order of the columns of the kind. */
  readonly codes: readonly number[];
  readonly gone: boolean;
}

let isSpread: boolean | null = null;

/**
 * Whether deposits and bets are distributed over machines. This only changes while no server runs
 * (redctl distribute), so the result is cached.
 */
async function areSpread(tx: Tx): Promise<boolean> {
  if (isSpread === null) {
    const { rows } = await sql`
      select from pg_trigger where tgrelid = 'bet'::regclass and tgname = 'rollup_insert'`.execute(
      tx,
    );
    isSpread = rows.length === 0;
  }
  return isSpread;
}

/**
 * Counts written and erased rows on distributed tables, which allow no triggers
 * (adjust-event-chunk.sql). On other tables, triggers have already counted them.
 */
export async function countEvents(
  tx: Tx,
  kind: EventKind,
  written: readonly CountedEvent[],
  erased: readonly CountedEvent[] = [],
): Promise<void> {
  if (!(await areSpread(tx))) {
    return;
  }
  const names = EVENT_COLUMNS[kind];
  const rowOf = ({ at, player_key, amount_cents, codes, gone }: CountedEvent) => ({
    id: firstIdOf(at),
    created_at: new Date(at),
    player_key,
    [names.cents]: amount_cents,
    [names.cancelled_at]: gone ? new Date(at) : null,
    ...Object.fromEntries(names.codes.map((code, place) => [code, codes[place]])),
  });
  const json = (rows: readonly CountedEvent[]) => JSON.stringify(rows.map(rowOf));
  await sql`select count_events(${kind}, ${json(written)}::jsonb, ${json(erased)}::jsonb)`.execute(
    tx,
  );
}

/** Marks rows as reversed or void now. Returns the rows that were not marked before. */
export async function cancelEvents(
  tx: Tx,
  kind: EventKind,
  reversals: readonly EventReversal[],
): Promise<EventIdentity[]> {
  const { nos, instants, first, last } = identityColumns(reversals);
  const { no, cents, codes, cancelled_at, cancel_reason } = columnsOf(kind);
  const { rows } = await sql<EventIdentity & Omit<CountedEvent, "at" | "gone">>`
    update ${sql.table(kind)} e set ${cancelled_at} = statement_timestamp(), ${cancel_reason} = x.reason
    from unnest(${nos}::text[], ${instants}::timestamptz[],
                ${reversals.map((reversal) => reversal.reason)}::text[])
      as x (no, created_at, reason)
    where e.${no} = x.no and e.created_at = x.created_at and e.${cancelled_at} is null
      and e.created_at between ${first}::timestamptz and ${last}::timestamptz
    returning e.${no} as no, e.created_at, e.player_key, e.${cents} as amount_cents,
      array[${sql.join(codes.map((code) => sql`e.${code}`))}] as codes`.execute(tx);
  const changed = rows.map((row) => ({ ...row, at: row.created_at.getTime() }));
  await countEvents(
    tx,
    kind,
    changed.map((row) => ({ ...row, gone: true })),
    changed.map((row) => ({ ...row, gone: false })),
  );
  return rows;
}
