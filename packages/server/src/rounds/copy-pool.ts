/** Copies a pool with full stock (behaviour §3). */
import { AppError } from "@red/contract/errors";
import { savePoolVersion } from "./save-pool-version.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { insertPool, lockPool } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";
import { copyPrizes } from "./prize-sql.ts";

/** Inserts a pool of this name with the prizes of a locked pool, in the same order, none drawn. */
export async function insertPoolCopy(
  tx: Tx,
  source: LockedPool,
  pool_name: string,
): Promise<LockedPool> {
  const copy = await insertPool(tx, pool_name);
  await copyPrizes(tx, source.id, copy.id);
  await savePoolVersion(tx, copy);
  return copy;
}

/**
 * Copies a pool under another name. Returns the new id. Throws pool_not_found; a taken name violates a
 * constraint.
 */
export async function copyPool(
  tx: Tx,
  actor: Actor,
  id: number,
  pool_name: string,
): Promise<number> {
  const source = await lockPool(tx, id);
  if (source === null) {
    throw new AppError("pool_not_found");
  }
  const copy = await insertPoolCopy(tx, source, pool_name);
  await insertAudit(tx, actor, {
    action: "copy_pool",
    object_type: "pool",
    object_id: copy.id,
    after: { pool_name, copy_of: source.id },
  });
  return copy.id;
}
