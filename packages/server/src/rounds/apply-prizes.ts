/** Applies a set of changes to the prizes of one locked pool: import, grid, and former version end here. */
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { savePrizes } from "./guard.ts";
import type { Risks } from "./guard.ts";
import type { LockedPool } from "./pool-sql.ts";
import {
  hideNames,
  insertPrizes,
  markPrizesDeleted,
  revivePrizes,
  updatePrizes,
} from "./prize-sql.ts";
import type { PrizeRow, PrizeValues } from "./prize-sql.ts";

export interface PrizeChange {
  /** Locked; a deleted prize comes back. */
  readonly before: PrizeRow;
  readonly values: PrizeValues;
}

export interface PrizeChanges {
  readonly updates: readonly PrizeChange[];
  readonly additions: readonly PrizeValues[];
  readonly removed: readonly PrizeRow[];
}

/**
 * Writes the changes, whose names fit together, as one new version; without any there is none. Throws
 * weight_sum_too_large.
 */
export async function applyPrizes(
  tx: Tx,
  actor: Actor,
  pool: LockedPool,
  { updates, additions, removed }: PrizeChanges,
  risks: Risks,
): Promise<void> {
  if (updates.length + additions.length + removed.length === 0 && !pool.is_new) {
    return;
  }
  await markPrizesDeleted(tx, ids(removed));
  const before = updates.map((update) => update.before);
  // Names may change places; the index on them looks at each row by itself.
  const renamed = updates.filter((one) => one.before.award_name !== one.values.award_name);
  if (renamed.length > 1) {
    await hideNames(tx, ids(renamed.map((one) => one.before)));
  }
  if (updates.length > 0) {
    await updatePrizes(
      tx,
      updates.map(({ before: { id }, values }) => ({ ...values, id })),
    );
  }
  await revivePrizes(tx, ids(before.filter((prize) => prize.deleted_at !== null)));
  if (additions.length > 0) {
    const { id: pool_id } = pool;
    await insertPrizes(
      tx,
      additions.map((values) => ({ ...values, pool_id })),
    );
  }
  await savePrizes(tx, actor, pool, risks);
}

const ids = (prizes: readonly PrizeRow[]) => prizes.map((prize) => prize.id);
