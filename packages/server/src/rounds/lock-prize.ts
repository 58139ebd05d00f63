import { AppError } from "@red/contract/errors";
import type { Tx } from "#platform/connection";
import { lockPool } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";
import { lockPrizes, selectPrize } from "./prize-sql.ts";
import type { PrizeRow } from "./prize-sql.ts";

/**
 * Locks a prize in the order of every change of prizes: its pool, then all the pool's prizes by id. Throws
 * prize_not_found.
 */
export async function lockPrize(
  tx: Tx,
  id: number,
): Promise<{ pool: LockedPool; prize: PrizeRow }> {
  // A prize never changes its pool, so the pool read before the lock is still right.
  const known = await selectPrize(tx, id);
  const pool = known && (await lockPool(tx, known.pool_id));
  const prize = pool && (await lockPrizes(tx, pool.id)).find((row) => row.id === id);
  if (!pool || !prize) {
    throw new AppError("prize_not_found");
  }
  return { pool, prize };
}
