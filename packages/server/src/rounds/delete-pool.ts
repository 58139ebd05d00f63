import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { lockPool, markPoolDeleted, selectPool } from "./pool-sql.ts";

/**
 * Deletes a pool with its prizes and frees its name (behaviour §3). Throws pool_not_found, and pool_in_use
 * with the number of rounds, including rounds that are being saved: they share the lock.
 */
export async function deletePool(tx: Tx, actor: Actor, id: number): Promise<void> {
  const locked = await lockPool(tx, id);
  const pool = locked && (await selectPool(tx, id));
  if (pool === null) {
    throw new AppError("pool_not_found");
  }
  if (pool.rounds > 0) {
    throw new AppError("pool_in_use", { rounds: pool.rounds });
  }
  await markPoolDeleted(tx, id);
  await insertAudit(tx, actor, {
    action: "delete_pool",
    object_type: "pool",
    object_id: id,
    before: pool,
  });
}
