import { savePoolVersion } from "./save-pool-version.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { insertPool } from "./pool-sql.ts";

/** Adds an empty pool (behaviour §3). Returns its id; a taken name violates a constraint. */
export async function createPool(tx: Tx, actor: Actor, pool_name: string): Promise<number> {
  const pool = await insertPool(tx, pool_name);
  await savePoolVersion(tx, pool);
  await insertAudit(tx, actor, {
    action: "create_pool",
    object_type: "pool",
    object_id: pool.id,
    after: { pool_name },
  });
  return pool.id;
}
