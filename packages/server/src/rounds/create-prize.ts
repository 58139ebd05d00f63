import type { PrizeForm } from "@red/contract/prize";
import { savePoolVersion } from "./save-pool-version.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { lockOrInsertPool } from "./pool-sql.ts";
import { insertPrize, lockPrizes, prizeValues, toPrize } from "./prize-sql.ts";

/**
 * Adds a prize (behaviour §3), and its pool when `pool_name` is new. Returns the prize's id. Throws
 * weight_sum_too_large; a taken name violates a constraint.
 */
export async function createPrize(tx: Tx, actor: Actor, form: PrizeForm): Promise<number> {
  const pool = await lockOrInsertPool(tx, form.pool_name);
  await lockPrizes(tx, pool.id);
  const prize = await insertPrize(tx, { pool_id: pool.id, ...prizeValues(form) });
  await savePoolVersion(tx, pool);
  await insertAudit(tx, actor, {
    action: "create_prize",
    object_type: "prize",
    object_id: prize.id,
    after: {
      ...toPrize(prize, pool.pool_name),
      ...(pool.is_new ? { pool_created: pool.id } : {}),
    },
  });
  return prize.id;
}
