import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { lockPool, updatePoolName } from "./pool-sql.ts";

/**
 * Renames a pool (behaviour §3); its rounds and prizes follow. Throws pool_not_found; a taken name violates a
 * constraint.
 */
export async function renamePool(
  tx: Tx,
  actor: Actor,
  id: number,
  pool_name: string,
): Promise<void> {
  const pool = await lockPool(tx, id);
  if (pool === null) {
    throw new AppError("pool_not_found");
  }
  await updatePoolName(tx, id, pool_name);
  await insertAudit(tx, actor, {
    action: "rename_pool",
    object_type: "pool",
    object_id: id,
    before: { pool_name: pool.pool_name },
    after: { pool_name },
  });
}
