/** Bets, as the platform feeds them in (behaviour §3). Amounts are whole cents. */
import type { Bet as BetOnWire } from "@red/contract/bet";
import { formatDateTime } from "@red/contract/datetime";
import { formatCents } from "@red/contract/money";
import type { EarningFacts } from "@red/engine/chances";
import { sql } from "kysely";
import type { Db, Tx } from "./connection.ts";
import { FIRST_ID, identityColumns } from "./event.ts";
import type { EarningWindow, EventIdentity, EventReversal } from "./event.ts";
import type { EventSource } from "./event-list.ts";

export interface Bet extends EventIdentity {
  readonly player_key: number;
  readonly valid_bet_cents: number;
  readonly platform: number;
}

export interface StoredBet extends Bet {
  readonly player_id: string;
  readonly voided: boolean;
}

/** The bets of these identities that there are; those that are missing are left out. */
export async function selectBetsByIdentity(
  db: Db,
  identities: readonly EventIdentity[],
): Promise<StoredBet[]> {
  const { nos, instants, first, last } = identityColumns(identities);
  // The limit makes it one index look-up per identity, in its own partition only.
  const { rows } = await sql<StoredBet>`
    select b.bet_no as no, b.created_at, b.player_key, p.player_id, b.valid_bet_cents,
      b.platform, b.voided_at is not null as voided
    from unnest(${nos}::text[], ${instants}::timestamptz[]) as x (no, created_at)
    cross join lateral (
      select * from bet
      where bet_no = x.no and bet.created_at = x.created_at
        and bet.created_at between ${first}::timestamptz and ${last}::timestamptz
      limit 1
    ) b
    join player p on p.player_key = b.player_key`.execute(db);
  return rows;
}

/** A bet to be added; without a slot it takes the next one. */
export interface NewBet extends Bet {
  readonly slot: number | null;
}

/**
 * Adds bets. Answers those that were added: the others have an identity that is there already,
 * or hit upon an id that is taken. Rows go in by time and number, so that transactions over the same
 * rows wait for each other in a line.
 */
export async function insertBets(tx: Tx, bets: readonly NewBet[]): Promise<EventIdentity[]> {
  const { nos, instants } = identityColumns(bets);
  const { rows } = await sql<EventIdentity>`
    insert into bet (id, bet_no, player_key, valid_bet_cents, platform, created_at)
    select ${FIRST_ID} + coalesce(x.slot, nextval('event_slot')), x.no, x.player_key,
      x.valid_bet_cents, x.platform, x.created_at
    from (
      select * from unnest(${nos}::text[], ${instants}::timestamptz[],
        ${bets.map((bet) => bet.player_key)}::bigint[],
        ${bets.map((bet) => bet.valid_bet_cents)}::bigint[],
        ${bets.map((bet) => bet.platform)}::smallint[],
        ${bets.map((bet) => bet.slot)}::int[])
        as given (no, created_at, player_key, valid_bet_cents, platform, slot)
      order by created_at, no
    ) x
    on conflict do nothing
    returning bet_no as no, created_at`.execute(tx);
  return rows;
}

/** Marks bets as voided, now. Answers those that were not voided before. */
export async function voidBets(tx: Tx, voids: readonly EventReversal[]): Promise<EventIdentity[]> {
  const { nos, instants, first, last } = identityColumns(voids);
  const { rows } = await sql<EventIdentity>`
    update bet b set voided_at = statement_timestamp(), void_reason = x.reason
    from unnest(${nos}::text[], ${instants}::timestamptz[],
                ${voids.map((one) => one.reason)}::text[])
      as x (no, created_at, reason)
    where b.bet_no = x.no and b.created_at = x.created_at and b.voided_at is null
      and b.created_at between ${first}::timestamptz and ${last}::timestamptz
    returning b.bet_no as no, b.created_at`.execute(tx);
  return rows;
}

/**
 * Facts of the players' bets that count: in the window, its last second included, and not
 * voided (behaviour §4). One row per player that there is, with the version of the same snapshot.
 */
export async function selectBetFacts(
  db: Db,
  window: EarningWindow,
  player_keys: readonly number[],
): Promise<({ player_key: number; version: number } & EarningFacts)[]> {
  const { rows } = await sql<{ player_key: number; version: number } & EarningFacts>`
    select p.player_key, p.version, f.*
    from player p
    cross join lateral (
      select
        least(coalesce(sum(b.valid_bet_cents), 0), ${window.limit}::bigint)::bigint as sum_cents,
        coalesce(max(b.valid_bet_cents), 0) as max_cents,
        least(coalesce(sum(b.valid_bet_cents / ${window.value_cents}::bigint), 0),
              ${window.limit}::bigint)::bigint as fulls
      from bet b
      where b.player_key = p.player_key and b.voided_at is null
        and b.created_at >= ${window.start}::timestamptz
        and b.created_at < ${window.end}::timestamptz + interval '1 second'
    ) f
    where p.player_key = any(${player_keys}::bigint[])`.execute(db);
  return rows;
}

/** A bet as lists read it. */
export interface BetRow {
  readonly user_name: string;
  readonly bet_no: string;
  readonly valid_bet_cents: number;
  readonly platform: number;
  readonly created_at: Date;
  readonly voided_at: Date | null;
  readonly void_reason: string | null;
}

/** Bets for lists, of one platform or of all. */
export function betSource(filter: { readonly type?: number | undefined }): EventSource {
  const { type } = filter;
  return {
    table: "bet",
    columns: sql`e.bet_no, e.valid_bet_cents, e.platform, e.created_at,
      e.voided_at, e.void_reason`,
    cents: sql`e.valid_bet_cents`,
    cancelled_at: sql`e.voided_at`,
    conditions: type === undefined ? [] : [sql`e.platform = ${type}::smallint`],
  };
}

/** A row as it is on the wire: times on the clocks of `timeZone`, amounts as decimal text. */
export function toBet(row: BetRow, timeZone: string): BetOnWire {
  return {
    user_name: row.user_name,
    validBetAmount: formatCents(row.valid_bet_cents),
    type: row.platform,
    created_at: formatDateTime(row.created_at, timeZone),
    bet_no: row.bet_no,
    voided: row.voided_at !== null,
    voided_at: row.voided_at && formatDateTime(row.voided_at, timeZone),
    void_reason: row.void_reason,
  };
}
