import { lockPrize } from "./lock-prize.ts";
import { savePoolVersion } from "./save-pool-version.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { markPrizeDeleted, toPrize } from "./prize-sql.ts";

/** Deletes a prize (behaviour §3): it is no longer drawn, its records stay. Throws prize_not_found. */
export async function deletePrize(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { pool, prize } = await lockPrize(tx, id);
  await markPrizeDeleted(tx, id);
  await savePoolVersion(tx, pool);
  await insertAudit(tx, actor, {
    action: "delete_prize",
    object_type: "prize",
    object_id: id,
    before: toPrize(prize, pool.pool_name),
  });
}
