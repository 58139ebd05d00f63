/** Deposits, as the platform feeds them in (behaviour §3). Amounts are whole cents. */
import { formatDateTime } from "@red/contract/datetime";
import type { Deposit as DepositOnWire } from "@red/contract/deposit";
import { formatCents } from "@red/contract/money";
import { sql } from "kysely";
import type { Tx } from "#platform/connection";
import { FIRST_ID, identityColumns } from "./event-sql.ts";
import type { EventIdentity } from "./event-sql.ts";
import type { EventSource } from "./event-list-sql.ts";

/** A deposit to be added; without a slot it takes the next one. */
export interface NewDeposit extends EventIdentity {
  readonly player_key: number;
  readonly amount_cents: number;
  readonly channel: number;
  readonly client: number;
  readonly slot: number | null;
}

/**
 * Adds deposits. Answers those that were added: the others have an identity that is there already,
 * or hit upon an id that is taken. Rows go in by time and number, so that transactions over the same
 * rows wait for each other in a line.
 */
export async function insertDeposits(
  tx: Tx,
  deposits: readonly NewDeposit[],
): Promise<EventIdentity[]> {
  const { nos, instants } = identityColumns(deposits);
  const { rows } = await sql<EventIdentity>`
    insert into deposit (id, order_no, player_key, amount_cents, channel, client, created_at)
    select ${FIRST_ID} + coalesce(x.slot, nextval('event_slot')), x.no, x.player_key,
      x.amount_cents, x.channel, x.client, x.created_at
    from (
      select * from unnest(${nos}::text[], ${instants}::timestamptz[],
        ${deposits.map((deposit) => deposit.player_key)}::bigint[],
        ${deposits.map((deposit) => deposit.amount_cents)}::bigint[],
        ${deposits.map((deposit) => deposit.channel)}::smallint[],
        ${deposits.map((deposit) => deposit.client)}::smallint[],
        ${deposits.map((deposit) => deposit.slot)}::int[])
        as given (no, created_at, player_key, amount_cents, channel, client, slot)
      order by created_at, no
    ) x
    on conflict do nothing
    returning order_no as no, created_at`.execute(tx);
  return rows;
}

/** A deposit as lists read it. */
export interface DepositRow {
  readonly user_name: string;
  readonly order_no: string;
  readonly amount_cents: number;
  readonly channel: number;
  readonly client: number;
  readonly created_at: Date;
  readonly reversed_at: Date | null;
  readonly reversal_reason: string | null;
}

/** Deposits for lists, of one channel and client or of all. */
export function depositSource(filter: {
  readonly channel?: number | undefined;
  readonly client?: number | undefined;
}): EventSource {
  const { channel, client } = filter;
  return {
    table: "deposit",
    columns: sql`e.order_no, e.amount_cents, e.channel, e.client, e.created_at,
      e.reversed_at, e.reversal_reason`,
    cents: sql`e.amount_cents`,
    cancelled_at: sql`e.reversed_at`,
    conditions: [
      ...(channel === undefined ? [] : [sql`e.channel = ${channel}::smallint`]),
      ...(client === undefined ? [] : [sql`e.client = ${client}::smallint`]),
    ],
  };
}

/** A row as it is on the wire: times on the clocks of `timeZone`, amounts as decimal text. */
export function toDeposit(row: DepositRow, timeZone: string): DepositOnWire {
  return {
    user_name: row.user_name,
    amount: formatCents(row.amount_cents),
    created_at: formatDateTime(row.created_at, timeZone),
    order_no: row.order_no,
    channel: row.channel,
    client: row.client,
    reversed: row.reversed_at !== null,
    reversed_at: row.reversed_at && formatDateTime(row.reversed_at, timeZone),
    reversal_reason: row.reversal_reason,
  };
}
