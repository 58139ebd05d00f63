/** Single prizes that an operator adds, changes or deletes (behaviour §3). */
import { AppError, found } from "@red/contract/platform/errors";
import { AWARD_TOTAL_MAX } from "@red/contract/platform/limits";
import type { PrizeForm } from "@red/contract/pools/prize";
import { insertAudit } from "#platform/audit";
import type { Actor, AuditEntry } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { oneRow } from "#platform/db/one-row";
import { readAhead, riskSince, valuePools } from "./value-change.ts";
import { lockOrInsertPools, lockPool, savePoolVersion, selectPoolId } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";
import {
  insertPrizes,
  lockPrizes,
  markPrizes,
  prizeValues,
  selectPrize,
  toPrize,
  updatePrize as updatePrizeRow,
} from "./prize-sql.ts";

interface PrizeSave extends PrizeForm {
  /** Version of the prize that the form loaded. Older clients omit this field. */
  readonly version?: number | undefined;
}

/**
 * Locks the pool of a prize, then all prizes of the pool by id: every change of prizes locks in
 * this order. `valued` is the value of the pool before the change. Throws prize_not_found.
 */
async function lockPrize(tx: Tx, id: number) {
  const known = found(await selectPrize(tx, id), "prize_not_found");
  const ids = [known.pool_id];
  const ahead = await readAhead(tx, ids);
  // A prize never moves to another pool, so the pool id read before the lock is still valid.
  const pool = found(await lockPool(tx, known.pool_id), "prize_not_found");
  const prizes = await lockPrizes(tx, ids);
  const prize = found(prizes.find((row) => row.id === id) ?? null, "prize_not_found");
  return { pool, prize, valued: await valuePools(tx, ids, ahead) };
}

async function savePrize(
  tx: Tx,
  actor: Actor,
  pool: LockedPool,
  object_id: number,
  did: Pick<AuditEntry, "action" | "before" | "after">,
): Promise<void> {
  await savePoolVersion(tx, pool, actor.name);
  const prize = { object_type: "prize", about: { pool: [pool.id] }, object_id };
  await insertAudit(tx, actor, { ...prize, ...did });
}

/**
 * Adds a prize, and also its pool if no pool has this name. Throws weight_sum_too_large. A prize
 * name already in use violates a constraint.
 */
export async function createPrize(
  tx: Tx,
  actor: Actor,
  form: PrizeForm,
): Promise<Costed<{ id: number }>> {
  const known = await selectPoolId(tx, form.pool_name);
  const ahead = await readAhead(tx, known === null ? [] : [known]);
  const pool = oneRow(await lockOrInsertPools(tx, [form.pool_name]));
  await lockPrizes(tx, [pool.id]);
  const valued = await valuePools(tx, [pool.id], ahead);
  const added = { pool_id: pool.id, ...prizeValues(form) };
  const prize = oneRow(await insertPrizes(tx, [added]));
  await savePrize(tx, actor, pool, prize.id, {
    action: "create_prize",
    after: {
      ...toPrize(prize, pool.pool_name),
      ...(pool.is_new ? { pool_created: pool.id } : {}),
    },
  });
  return { data: { id: prize.id }, risk: await riskSince(tx, valued) };
}

/**
 * Saves a prize for later draws; earlier draw records keep their own copies. Throws prize_not_found, stale_version,
 * prize_pool_differs, prize_total_below_drawn, weight_sum_too_large. A name already in use violates a constraint.
 */
export async function updatePrize(
  tx: Tx,
  actor: Actor,
  id: number,
  save: PrizeSave,
): Promise<Costed<{ version: number }>> {
  const { pool, prize: before, valued } = await lockPrize(tx, id);
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
  await savePrize(tx, actor, pool, id, {
    action: "update_prize",
    before: toPrize(before, pool.pool_name),
    after: toPrize(after, pool.pool_name),
  });
  return { data: { version: after.version }, risk: await riskSince(tx, valued) };
}

/**
 * Adds `add` (≥ 1) to the total of a prize. The round may be running. Throws prize_not_found, award_total_too_large.
 */
export async function addStock(
  tx: Tx,
  actor: Actor,
  id: number,
  add: number,
): Promise<Costed<{ award_total: number }>> {
  const { pool, prize, valued } = await lockPrize(tx, id);
  const award_total = prize.award_total + add;
  if (award_total > AWARD_TOTAL_MAX) {
    throw new AppError("award_total_too_large", { max: AWARD_TOTAL_MAX });
  }
  await updatePrizeRow(tx, id, { award_total });
  await savePrize(tx, actor, pool, id, {
    action: "add_stock",
    before: { award_total: prize.award_total },
    after: { award_total },
  });
  return { data: { award_total }, risk: await riskSince(tx, valued) };
}

/** Deletes a prize: later draws cannot give it, but its draw records remain. Throws prize_not_found. */
export async function deletePrize(tx: Tx, actor: Actor, id: number): Promise<Costed<null>> {
  const { pool, prize, valued } = await lockPrize(tx, id);
  await markPrizes(tx, [prize], "deleted");
  await savePrize(tx, actor, pool, id, {
    action: "delete_prize",
    before: toPrize(prize, pool.pool_name),
  });
  return { data: null, risk: await riskSince(tx, valued) };
}
