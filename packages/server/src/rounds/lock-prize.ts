/** Finds a prize and locks it the way every change of a prize does: its pool, then all its prizes by id. */
import { AppError } from "@red/contract/errors";
import type { Tx } from "#platform/connection";
import { lockPool } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";
import { lockPrizes, selectPrize } from "./prize-sql.ts";
import type { PrizeRow } from "./prize-sql.ts";

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
