/** An operator's changes of pools (behaviour §3). A name that is taken violates a constraint. */
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

/** Locks a pool. Throws pool_not_found. */
export async function existingPool(tx: Tx, id: number): Promise<LockedPool> {
  return found(await lockPool(tx, id), "pool_not_found");
}

/** Adds an empty pool. Returns its id. */
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

/** Renames a pool; its rounds and prizes follow. Throws pool_not_found. */
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

/** Inserts a pool of this name with the prizes of a locked pool in the same order, with full stock. */
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

/** Copies a pool with full stock under another name. Returns the new id. Throws pool_not_found. */
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
 * Deletes a pool with its prizes and frees its name. Throws pool_not_found, and pool_in_use with the number
 * of rounds, including rounds that are being saved: they share the lock.
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
