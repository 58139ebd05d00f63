/** Counts payouts by state. The counts come from rollups, so the cost does not grow with the number of payouts. */
import { PAYOUT_STATES } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/db/connection";
import { minutesOf } from "#platform/rollups/rollup-sql";

interface PayoutSum {
  readonly state: PayoutState;
  readonly count: number;
  readonly amount_cents: bigint;
}

interface PayoutMatch {
  /** Counts only draws from this minute on. Minutes are numbered from 2020-01-01 UTC. */
  readonly from?: RawBuilder<unknown>;
  /** Counts only this round; null or unset means all rounds. */
  readonly rounds_id?: number | null;
}

/** Selects count and total amount for every state. A state without payouts has zeros. */
export function payoutSums({
  from = sql`0`,
  rounds_id = null,
}: PayoutMatch = {}): RawBuilder<PayoutSum> {
  const { to } = minutesOf(null, null);
  const total = (list: string, a: RawBuilder<unknown>, b: RawBuilder<unknown>) =>
    sql`rollup_total(${list}, ${from}, ${to}::bigint, array[${a}]::bigint[], ${b}::bigint[])`;
  const round = sql`array[coalesce(${rounds_id}::bigint, 0)]`;
  const goods = sql`array(select d.id from drawn_prize d
    where d.award_price_cents = 0 and (${rounds_id}::bigint is null or d.rounds_id = ${rounds_id}::bigint))`;
  return sql<PayoutSum>`
    with moved as materialized (
      select s.state, t.n, t.cents from unnest(${PAYOUT_STATES}::text[]) with ordinality s (state, code)
      cross join lateral ${total("payout", sql`s.code`, round)} t
    ), goods as materialized (
      select 'waiting_delivery' as state, n, cents from ${total("draw_record", sql`2`, goods)}
    )
    select state, sum(n)::bigint as count, sum(cents) as amount_cents
    from (
      select * from moved
      union all select * from goods
      union all select 'queued', n, cents
        from ${total("draw_record", sql`case when ${rounds_id}::bigint is null then 0 else 1 end`, round)}
      union all select 'queued', -n, -cents from goods
      union all select case state when 'delivered' then 'waiting_delivery' else 'queued' end, -n, -cents from moved
    ) x group by state`;
}

export async function selectPayoutSums(db: Db, match?: PayoutMatch): Promise<PayoutSum[]> {
  return (await payoutSums(match).execute(db)).rows;
}

export function sumUp(sums: readonly Omit<PayoutSum, "state">[]) {
  const count = sums.reduce((sum, one) => sum + one.count, 0);
  return { count, amount_cents: sums.reduce((sum, one) => sum + one.amount_cents, 0n) };
}
