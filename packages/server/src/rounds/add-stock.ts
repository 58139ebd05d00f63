/** Raises a prize's total, also while its round runs (behaviour §3). */
import { AppError } from "@red/contract/errors";
import { AWARD_TOTAL_MAX } from "@red/contract/limits";
import { lockPrize } from "./lock-prize.ts";
import { savePoolVersion } from "./save-pool-version.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { updatePrize } from "./prize-sql.ts";

/**
 * Adds `add` (≥ 1) to the current total of a prize. Returns the new total. Throws prize_not_found,
 * award_total_too_large.
 */
export async function addStock(tx: Tx, actor: Actor, id: number, add: number): Promise<number> {
  const { pool, prize } = await lockPrize(tx, id);
  const award_total = prize.award_total + add;
  if (award_total > AWARD_TOTAL_MAX) {
    throw new AppError("award_total_too_large", { max: AWARD_TOTAL_MAX });
  }
  await updatePrize(tx, id, { award_total });
  await savePoolVersion(tx, pool);
  await insertAudit(tx, actor, {
    action: "add_stock",
    object_type: "prize",
    object_id: id,
    before: { award_total: prize.award_total },
    after: { award_total },
  });
  return award_total;
}
