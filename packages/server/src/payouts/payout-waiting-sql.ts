/** Count and amount of the payouts that wait for the wallet (behaviour §6). */
import { sql } from "kysely";
import { stateList } from "#platform/conditions";
import type { Db } from "#platform/connection";

/** What the worker will call; being called has an index of its own. */
const DUE = stateList(({ isCalled }, state) => isCalled && state !== "sending");

export interface WaitingPayouts {
  readonly count: number;
  readonly amount_cents: bigint;
}

/** Queued, sending and unknown payouts; each read from its partial index. */
export async function selectWaitingPayouts(db: Db): Promise<WaitingPayouts> {
  const { rows } = await sql<WaitingPayouts>`
    select count(*) as count, coalesce(sum(amount_cents), 0) as amount_cents
    from (
      select amount_cents from payout where state in (${DUE})
      union all
      select amount_cents from payout where state = 'sending'
    ) as waiting`.execute(db);
  return rows[0] ?? { count: 0, amount_cents: 0n };
}
