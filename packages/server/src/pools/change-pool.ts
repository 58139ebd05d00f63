/**
 * Pools that an operator creates, renames, copies or deletes (behaviour §3). A name already in use
 * violates a database constraint.
 */
import { AppError, found } from "@red/contract/platform/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import {
  insertPool,
  lockPool,
  markPoolDeleted,
  savePoolVersion,
  selectPool,
  updatePoolName,
} from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";
import { copyPrizes } from "./prize-sql.ts";

export async function existingPool(tx: Tx, id: number): Promise<LockedPool> {
  return found(await lockPool(tx, id), "pool_not_found");
}

export async function createPool(tx: Tx, actor: Actor, pool_name: string): Promise<number> {
  const pool = await insertPool(tx, pool_name);
  await savePoolVersion(tx, pool, actor.name);
  await insertAudit(tx, actor, {
    action: "create_pool",
    object_type: "pool",
    object_id: pool.id,
    after: { pool_name },
  });
  return pool.id;
}

/** Renames a pool. Rounds and prizes refer to the pool by id, so they keep it. Throws pool_not_found. */
export async function renamePool(
  tx: Tx,
  actor: Actor,
  id: number,
  pool_name: string,
): Promise<void> {
  const before = await existingPool(tx, id);
  await updatePoolName(tx, id, pool_name);
  await insertAudit(tx, actor, {
    action: "rename_pool",
    object_type: "pool",
    object_id: id,
    before: { pool_name: before.pool_name },
    after: { pool_name },
  });
}

/**
 * Inserts a new pool with copies of the prizes of `source`, a locked pool. The copies keep the
 * order and have full stock.
 */
export async function insertPoolCopy(
  tx: Tx,
  actor: Actor,
  source: LockedPool,
  pool_name: string,
): Promise<LockedPool> {
  const copy = await insertPool(tx, pool_name);
  await copyPrizes(tx, source.id, copy.id);
  await savePoolVersion(tx, copy, actor.name);
  return copy;
}

/** Copies a pool under another name with full stock. Returns the id of the copy. Throws pool_not_found. */
export async function copyPool(
  tx: Tx,
  actor: Actor,
  id: number,
  pool_name: string,
): Promise<number> {
  const copy = await insertPoolCopy(tx, actor, await existingPool(tx, id), pool_name);
  await insertAudit(tx, actor, {
    action: "copy_pool",
    object_type: "pool",
    object_id: copy.id,
    after: { pool_name, copy_of: id },
  });
  return copy.id;
}

/**
 * Deletes a pool with its prizes; its name can be used again. Throws pool_not_found, or pool_in_use with the number of
 * rounds. The lock also makes it wait for rounds that are being saved with this pool.
 */
export async function deletePool(tx: Tx, actor: Actor, id: number): Promise<void> {
  await existingPool(tx, id);
  const before = await selectPool(tx, id);
  if (before !== null && before.rounds > 0) {
    throw new AppError("pool_in_use", { rounds: before.rounds });
  }
  await markPoolDeleted(tx, id);
  await insertAudit(tx, actor, {
    action: "delete_pool",
    object_type: "pool",
    object_id: id,
    before,
  });
}
