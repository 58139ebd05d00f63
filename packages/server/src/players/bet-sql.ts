/** Bets, as the platform feeds them in (behaviour §3). Amounts are whole cents. */
import type { Bet as BetOnWire } from "@red/contract/bet";
import { formatDateTime } from "@red/contract/datetime";
import { formatCents } from "@red/contract/money";
import { sql } from "kysely";
import type { Tx } from "#platform/connection";
import { FIRST_ID, identityColumns } from "./event-sql.ts";
import type { EventIdentity } from "./event-sql.ts";
import type { EventSource } from "./event-list-sql.ts";

/** A bet to be added; without a slot it takes the next one. */
export interface NewBet extends EventIdentity {
  readonly player_key: number;
  readonly valid_bet_cents: number;
  readonly platform: number;
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
