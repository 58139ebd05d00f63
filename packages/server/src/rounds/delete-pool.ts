/** Deletes a pool that no round uses (behaviour §3). */
import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { lockPool, markPoolDeleted, selectPool } from "./pool-sql.ts";

/**
 * Deletes a pool with its prizes; its name is free again. Throws pool_not_found, and pool_in_use with
 * the number of rounds, among them those that were being saved when this began: they share the lock.
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
