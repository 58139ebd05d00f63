/**
 * What deposits and bets have in common: partitions by UTC month, and ids that code `created_at`.
 * An id is (milliseconds since 2020-01-01 UTC) × 2^14 + a slot, so that the order of ids is the order
 * of time and one index serves both; a millisecond has room for 16,384 rows of a table.
 */
import type { EventKind } from "@red/contract/explanation";
import type { EarningFacts } from "@red/engine/chances";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/connection";
import { columnsOf } from "./event-columns.ts";
import { lockPlayerNames } from "./player-sql.ts";

/** What identifies a deposit or bet: its number and `created_at`, to the millisecond. */
export interface EventIdentity {
  readonly no: string;
  readonly created_at: Date;
}

/** An identity as a key of maps and sets. */
export function identityOf({ no, created_at }: EventIdentity): string {
  return `${created_at.getTime()} ${no}`;
}

/** A reversed deposit or a voided bet. */
export interface EventReversal extends EventIdentity {
  readonly reason: string | null;
}

/** Which rows earn draws, and how their facts are worked out. */
export interface EarningWindow {
  readonly start: Date;
  /** To the second; that second is included. */
  readonly end: Date;
  /** The condition value, above 0. */
  readonly value_cents: number;
  /** Sums are cut off here. */
  readonly limit: number;
}

/** 2020-01-01 UTC in milliseconds, where the ids begin. */
export const EVENT_EPOCH_MS = 1_577_836_800_000;

/** Ids of one millisecond. */
export const SLOTS = 2 ** 14;

/** The first id of a millisecond (records have the same ids), within what an id can be. */
export function firstIdOf(ms: number): number {
  return Math.min(Math.max((ms - EVENT_EPOCH_MS) * SLOTS, 0), Number.MAX_SAFE_INTEGER);
}

/** The latest `created_at` that is taken: 24 hours from now by the database's clock. */
export async function selectLatestInstant(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select now() + interval '24 hours' as at`.execute(db);
  const [row] = rows;
  if (row === undefined) {
    throw new Error("the database told no time");
  }
  return row.at;
}

/** First days of the UTC months that the instants fall into, each once, in order. */
export function monthsOf(instants: readonly Date[]): string[] {
  const months = instants.map((instant) => `${instant.toISOString().slice(0, 7)}-01`);
  return [...new Set(months)].toSorted();
}

/**
 * Makes the partitions of these months, where they are missing. Attaching one keeps everybody from
 * changing players until the transaction ends, so it comes after the lock on names and before every
 * other lock on players.
 */
export async function ensureMonths(
  tx: Tx,
  kind: EventKind,
  months: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ month: string }>`
    select month from unnest(${months}::date[]) as month
    where to_regclass(${kind} || to_char(month, '_YYYYMM')) is null
    order by month`.execute(tx);
  if (rows.length === 0) {
    return;
  }
  await lockPlayerNames(tx);
  // Besides keeping others from attaching, a table lock makes this session see what they attached.
  await sql`lock table ${sql.table(kind)} in share update exclusive mode`.execute(tx);
  await sql`
    select ensure_month(${kind}, month)
    from unnest(${rows.map((row) => row.month)}::date[]) as month order by month`.execute(tx);
}

/** Columns of identities, and the time between them, for which alone partitions are looked at. */
export function identityColumns(rows: readonly EventIdentity[]) {
  const instants = rows.map((row) => row.created_at.toISOString());
  const sorted = instants.toSorted();
  const first = sorted.at(0) ?? "infinity";
  const last = sorted.at(-1) ?? "-infinity";
  return { nos: rows.map((row) => row.no), instants, first, last };
}

/** A deposit or bet as it is compared with one that comes in. */
export interface StoredEvent extends EventIdentity {
  readonly player_key: number;
  /** Cents, codes and player_id in one text; the player comes last, since a player_id may hold any sign. */
  readonly content: string;
  /** Reversed or voided. */
  readonly gone: boolean;
}

/** The rows of these identities that there are; those that are missing are left out. */
export async function selectEvents(
  db: Db,
  kind: EventKind,
  identities: readonly EventIdentity[],
): Promise<StoredEvent[]> {
  const { nos, instants, first, last } = identityColumns(identities);
  const { no, cents, cancelled_at, codes } = columnsOf(kind);
  // The limit makes it one index look-up per identity, in its own partition only.
  const { rows } = await sql<StoredEvent>`
    select x.no, x.created_at, e.player_key, e.${cancelled_at} is not null as gone,
      concat_ws(' ', ${sql.join([cents, ...codes].map((column) => sql`e.${column}`))}, p.player_id)
        as content
    from unnest(${nos}::text[], ${instants}::timestamptz[]) as x (no, created_at)
    cross join lateral (
      select * from ${sql.table(kind)} e
      where e.${no} = x.no and e.created_at = x.created_at
        and e.created_at between ${first}::timestamptz and ${last}::timestamptz
      limit 1
    ) e
    join player p on p.player_key = e.player_key`.execute(db);
  return rows;
}

/** Marks rows as reversed or void, now. Answers those that were not so before. */
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

/**
 * Facts of the players' deposits or bets that count: in the window, its last second included, and
 * neither reversed nor void (behaviour §4). One row per player that there is, with the version of the
 * same snapshot.
 */
export async function selectEventFacts(
  db: Db,
  kind: EventKind,
  window: EarningWindow,
  player_keys: readonly number[],
): Promise<({ player_key: number; version: number } & EarningFacts)[]> {
  const { cents, cancelled_at } = columnsOf(kind);
  const { rows } = await sql<{ player_key: number; version: number } & EarningFacts>`
    select p.player_key, p.version, f.*
    from player p
    cross join lateral (
      select
        least(coalesce(sum(e.${cents}), 0), ${window.limit}::bigint)::bigint as sum_cents,
        coalesce(max(e.${cents}), 0) as max_cents,
        least(coalesce(sum(e.${cents} / ${window.value_cents}::bigint), 0),
              ${window.limit}::bigint)::bigint as fulls
      from ${sql.table(kind)} e
      where e.player_key = p.player_key and e.${cancelled_at} is null
        and e.created_at >= ${window.start}::timestamptz
        and e.created_at < ${window.end}::timestamptz + interval '1 second'
    ) f
    where p.player_key = any(${player_keys}::bigint[])`.execute(db);
  return rows;
}

/** For so long a number stands for one deposit or bet of its player, either way of its time. */
export const NUMBER_HELD_MS = 86_400_000;

/**
 * Those of the rows whose number the same player has already at another time less than or just
 * `NUMBER_HELD_MS` away. Believed only while the players are locked.
 */
export async function selectHeldNumbers(
  db: Db,
  kind: EventKind,
  rows: readonly (EventIdentity & { readonly player_key: number })[],
): Promise<EventIdentity[]> {
  const { nos, instants, first, last } = identityColumns(rows);
  const held = sql`${NUMBER_HELD_MS}::float8 * interval '1 ms'`;
  // Fenced off by its offset, the look-up goes by number and time alone, which the primary key serves
  // in the partitions of that time; by player it would read all that a busy one did on two days.
  const { rows: found } = await sql<EventIdentity>`
    select x.no, x.created_at
    from unnest(${nos}::text[], ${instants}::timestamptz[],
                ${rows.map((row) => row.player_key)}::bigint[]) as x (no, created_at, player_key)
    cross join lateral (
      select from (
        select e.player_key from ${sql.table(kind)} e
        where e.${columnsOf(kind).no} = x.no and e.created_at <> x.created_at
          and e.created_at between x.created_at - ${held} and x.created_at + ${held}
          and e.created_at between ${first}::timestamptz - ${held} and ${last}::timestamptz + ${held}
        offset 0
      ) near
      where near.player_key = x.player_key
      limit 1
    ) taken`.execute(db);
  return found;
}
