/** Every change of a pool's prizes ends here (behaviour §3: a record names the version it was drawn from). */
import { AppError } from "@red/contract/errors";
import { WEIGHT_SUM_MAX } from "@red/contract/limits";
import type { Tx } from "#platform/connection";
import { insertPoolVersion, raisePoolVersion } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";
import { selectPrizeTotals } from "./prize-sql.ts";

/**
 * Raises the version of a pool and keeps its prizes as they are now under it; a pool made in this
 * transaction keeps version 1. Called once, after the change. Throws weight_sum_too_large.
 */
export async function savePoolVersion(tx: Tx, pool: LockedPool): Promise<void> {
  const { weight_total } = await selectPrizeTotals(tx, pool.id);
  if (weight_total > WEIGHT_SUM_MAX) {
    throw new AppError("weight_sum_too_large");
  }
  if (!pool.is_new) {
    await raisePoolVersion(tx, pool.id);
  }
  await insertPoolVersion(tx, pool.id);
}
