/** Adds an empty pool (behaviour §3). */
import { savePoolVersion } from "#actions/save-pool-version";
import { insertAudit } from "#db/audit";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";
import { insertPool } from "#db/pool";

/** Adds an empty pool. Answers its id; the constraint tells a taken name. */
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
