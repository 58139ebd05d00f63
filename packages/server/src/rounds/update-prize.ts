import { AppError } from "@red/contract/errors";
import type { PrizeForm } from "@red/contract/prize";
import { lockPrize } from "./lock-prize.ts";
import { savePoolVersion } from "./save-pool-version.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { prizeValues, toPrize, updatePrize as updatePrizeRow } from "./prize-sql.ts";

interface PrizeSave extends PrizeForm {
  /** The version that the form was loaded from; older clients leave it out. */
  readonly version?: number | undefined;
}

/**
 * Saves a prize (behaviour §3) for the draws after it; earlier records keep their copies. Returns the
 * version. Throws prize_not_found, stale_version, prize_pool_differs, prize_total_below_drawn,
 * weight_sum_too_large; a taken name violates a constraint.
 */
export async function updatePrize(
  tx: Tx,
  actor: Actor,
  id: number,
  save: PrizeSave,
): Promise<number> {
  const { pool, prize: before } = await lockPrize(tx, id);
  if (save.version !== undefined && save.version !== before.version) {
    throw new AppError("stale_version");
  }
  if (save.pool_name !== pool.pool_name) {
    throw new AppError("prize_pool_differs");
  }
  if (save.award_total < before.drawn) {
    throw new AppError("prize_total_below_drawn", { drawn: before.drawn });
  }
  const after = await updatePrizeRow(tx, id, prizeValues(save));
  await savePoolVersion(tx, pool);
  await insertAudit(tx, actor, {
    action: "update_prize",
    object_type: "prize",
    object_id: id,
    before: toPrize(before, pool.pool_name),
    after: toPrize(after, pool.pool_name),
  });
  return after.version;
}
