import { AppError } from "@red/contract/errors";
import { WEIGHT_SUM_MAX } from "@red/contract/limits";
import type { Tx } from "#platform/connection";
import { insertPoolVersion, raisePoolVersion } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";
import { selectPrizeTotals } from "./prize-sql.ts";

/**
 * Raises the version of a pool and stores its current prizes under it; every change of prizes ends with this,
 * because a record names the version it was drawn from (behaviour §3). A pool inserted in this transaction
 * keeps version 1. Throws weight_sum_too_large.
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
