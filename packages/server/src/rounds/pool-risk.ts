/** What a change of pools may cost while rounds run on them (behaviour §3). */
import { noRisk, riskOfPools } from "@red/engine/risk";
import type { Risk } from "@red/engine/risk";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import type { ActivityRow } from "./activity-sql.ts";
import { savePoolVersion, selectPace, selectPricedPrizes } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";

/** Ends a change of prizes: stores the new version. Throws weight_sum_too_large. */
export async function savePrizes(tx: Tx, actor: Actor, pool: LockedPool): Promise<Risk> {
  await savePoolVersion(tx, pool, actor.name);
  const { rounds, draws_hour } = await selectPace(tx, pool.id);
  if (rounds === 0) {
    return noRisk("no round runs on the pool");
  }
  const was = await selectPricedPrizes(tx, pool.id, 1);
  const will = await selectPricedPrizes(tx, pool.id);
  const change = { before: [{ rounds, prizes: was }], after: [{ rounds, prizes: will }] };
  return riskOfPools(change, { pool_name: pool.pool_name, draws_hour }, was, will);
}

/** Of a running round that has just moved from another pool. */
export async function riskOfMove(
  tx: Tx,
  from_id: number,
  { id, pool_id, pool_name }: Pick<ActivityRow, "id" | "pool_id" | "pool_name">,
): Promise<Risk> {
  const was = await selectPricedPrizes(tx, from_id);
  const will = await selectPricedPrizes(tx, pool_id);
  const [left, joined] = [await selectPace(tx, from_id), await selectPace(tx, pool_id)];
  const pools = (stays: 0 | 1) => [
    { rounds: left.rounds + stays, prizes: was },
    { rounds: joined.rounds - stays, prizes: will },
  ];
  const { draws_hour } = await selectPace(tx, pool_id, id);
  const change = { before: pools(1), after: pools(0) };
  return riskOfPools(change, { pool_name, draws_hour }, was, will);
}
