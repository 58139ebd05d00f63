/** Finds a prize and locks it the way every change of a prize does: its pool, then all its prizes by id. */
import { AppError } from "@red/contract/errors";
import type { Tx } from "#db/connection";
import { lockPool } from "#db/pool";
import type { LockedPool } from "#db/pool";
import { lockPrizes, selectPrize } from "#db/prize";
import type { PrizeRow } from "#db/prize";

/** The prize as it is once its pool is locked. Throws prize_not_found. */
export async function lockPrize(
  tx: Tx,
  id: number,
): Promise<{ pool: LockedPool; prize: PrizeRow }> {
  // A prize never changes its pool: what is read before the lock holds after it.
  const known = await selectPrize(tx, id);
  const pool = known && (await lockPool(tx, known.pool_id));
  const prize = pool && (await lockPrizes(tx, pool.id)).find((row) => row.id === id);
  if (!pool || !prize) {
    throw new AppError("prize_not_found");
  }
  return { pool, prize };
}
