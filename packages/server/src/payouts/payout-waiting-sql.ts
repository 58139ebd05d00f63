/** Payouts on their way (behaviour §6): how many wait for the wallet, and how much money that is. */
import { sql } from "kysely";
import type { Db } from "#platform/connection";

export interface WaitingPayouts {
  readonly count: number;
  readonly amount_cents: bigint;
}

/** What is queued, sent or unclear now; each part by the index that holds no more than it. */
export async function selectWaitingPayouts(db: Db): Promise<WaitingPayouts> {
  const { rows } = await sql<WaitingPayouts>`
    select count(*) as count, coalesce(sum(amount_cents), 0) as amount_cents
    from (
      select amount_cents from payout where state in ('queued', 'unknown')
      union all
      select amount_cents from payout where state = 'sending'
    ) as waiting`.execute(db);
  return rows[0] ?? { count: 0, amount_cents: 0n };
}
