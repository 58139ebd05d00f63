/** Saves several prizes of a pool at once: from a file, from a grid, or from a former version (behaviour §3). */
import type { FieldFault } from "@red/contract/platform/envelope";
import { AppError, badInput } from "@red/contract/platform/errors";
import type { PoolSave, poolRoutes } from "@red/contract/pools/pool";
import type { Answer } from "@red/contract/platform/route";
import { text } from "@red/contract/platform/texts";
import type { Language, TextKey } from "@red/contract/platform/texts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { existingPool } from "./change-pool.ts";
import { insertPool, savePoolVersion, selectPoolId, selectPoolVersions } from "./pool-sql.ts";
import type { LockedPool } from "./pool-sql.ts";
import { insertPrizes, isSamePrize, lockPrizes, markPrizes } from "./prize-sql.ts";
import { changedValues, prizeValues, toPrizeValues, updatePrizes } from "./prize-sql.ts";
import type { PrizeRow, PrizeValues } from "./prize-sql.ts";
import { readAhead, riskSince, valuePools } from "./value-change.ts";

interface PrizeChanges {
  /** An update of a deleted prize restores it. */
  readonly updates: readonly { readonly before: PrizeRow; readonly values: PrizeValues }[];
  readonly additions: readonly PrizeValues[];
  readonly removed: readonly PrizeRow[];
}

/** Changes for the audit log. A changed prize contains only the values that differ. */
export interface PrizeTrace {
  readonly version: number;
  readonly before: readonly object[];
  readonly after: readonly object[];
  readonly ids: readonly number[];
}

/** Writes locked prizes as one new version. Without changes the version stays the same. Throws weight_sum_too_large. */
export async function applyPrizes(
  tx: Tx,
  actor: Actor,
  pool: LockedPool,
  { updates, additions, removed }: PrizeChanges,
): Promise<PrizeTrace> {
  const before = updates.map((update) => update.before);
  await markPrizes(tx, removed, "deleted");
  if (updates.length > 0) {
    // Two prizes may swap names, but the unique index checks each row separately.
    await markPrizes(tx, before, "nameless");
    await updatePrizes(
      tx,
      updates.map((update) => ({ ...update.values, id: update.before.id })),
    );
    await markPrizes(tx, before, "live");
  }
  const rows = additions.map((values) => ({ ...values, pool_id: pool.id }));
  const added = rows.length > 0 ? await insertPrizes(tx, rows) : [];
  const isChange = pool.is_new || updates.length + additions.length + removed.length > 0;
  const version = isChange ? await savePoolVersion(tx, pool, actor.name) : pool.version;
  const whole = (prize: PrizeRow) => ({ id: prize.id, ...toPrizeValues(prize) });
  // A restored prize has no values before the change, and all its values after the change.
  const isBack = (was: PrizeRow) => was.deleted_at !== null;
  return {
    version,
    before: [
      ...updates.flatMap(({ before: was, values }) =>
        isBack(was) ? [] : [{ id: was.id, ...changedValues(was, values) }],
      ),
      ...removed.map(whole),
    ],
    after: [
      ...updates.map(({ before: was, values }) => ({
        id: was.id,
        ...(isBack(was) ? toPrizeValues(values) : changedValues(values, was)),
      })),
      ...added.map(whole),
    ],
    ids: [...before, ...removed, ...added].map(({ id }) => id),
  };
}

/**
 * Plans the changes of a grid. Throws pool_save_conflict if a prize changed since the client read it, and bad_input.
 */
function planSave(
  { rows, removed = [] }: PoolSave,
  prizes: readonly PrizeRow[],
  language: Language,
): PrizeChanges {
  const kept = new Map(prizes.map((prize) => [prize.id, prize]));
  const conflicts: FieldFault[] = [];
  const faults: FieldFault[] = [];
  const say = (to: FieldFault[], field: string, key: TextKey, drawn = 0) =>
    to.push({ field, msg: text(key, language, { drawn }) });
  /** Takes a prize out of `kept`, so each prize can be used once. */
  const take = (place: string, { id = 0, version }: Partial<PoolSave["rows"][number]>) => {
    const prize = kept.get(id) ?? null;
    kept.delete(id);
    if (id > 0 && prize?.version !== version) {
      say(conflicts, `${place}.version`, prize ? "stale_version" : "prize_not_found");
    }
    return prize;
  };
  const gone = removed.map((row, at) => take(`removed.${at}`, row));
  const saved = rows.map((row, at) => {
    return { before: take(`rows.${at}`, row), values: prizeValues({ ...row, pool_name: "" }) };
  });
  const names = new Set([...kept.values()].map((prize) => prize.award_name));
  for (const [at, { before, values }] of saved.entries()) {
    const drawn = before?.drawn ?? 0;
    if (names.has(values.award_name)) {
      say(faults, `rows.${at}.award_name`, "prize_name_taken");
    }
    if (values.award_total < drawn) {
      say(faults, `rows.${at}.award_total`, "prize_total_below_drawn", drawn);
    }
    names.add(values.award_name);
  }
  const [fault, ...more] = faults;
  if (conflicts.length > 0) {
    throw new AppError("pool_save_conflict", {}, { errors: conflicts });
  }
  if (fault !== undefined) {
    throw badInput([fault, ...more]);
  }
  return {
    updates: saved.flatMap(({ before, values }) =>
      before === null || isSamePrize(before, values) ? [] : [{ before, values }],
    ),
    additions: saved.flatMap(({ before, values }) => (before === null ? [values] : [])),
    removed: gone.filter((prize) => prize !== null),
  };
}

/**
 * Saves all rows of a grid, or none. Throws pool_not_found, pool_save_conflict, bad_input by row
 * and field, and weight_sum_too_large. A new pool with a name already in use violates a constraint.
 */
export async function savePool(
  tx: Tx,
  actor: Actor,
  save: PoolSave,
  language: Language,
): Promise<Costed<Answer<typeof poolRoutes.save>>> {
  const { is_new, pool_name } = save;
  const known = is_new === true ? 0 : ((await selectPoolId(tx, pool_name)) ?? 0);
  const ahead = await readAhead(tx, [known]);
  const pool = is_new === true ? await insertPool(tx, pool_name) : await existingPool(tx, known);
  const changes = planSave(save, await lockPrizes(tx, [pool.id]), language);
  const valued = await valuePools(tx, [pool.id], ahead);
  const trace = await applyPrizes(tx, actor, pool, changes);
  const { updates, additions, removed } = changes;
  const counts = { added: additions.length, updated: updates.length, removed: removed.length };
  await insertAudit(tx, actor, {
    action: "save_pool",
    object_type: "pool",
    object_id: pool.id,
    before: { version: pool.is_new ? null : pool.version, prizes: trace.before },
    after: { pool_name, version: trace.version, ...counts, prizes: trace.after },
    about: { prize: trace.ids },
  });
  return { data: { id: pool.id, ...counts }, risk: await riskSince(tx, valued) };
}

/**
 * Saves a former version as the next version: restores its deleted prizes, deletes later prizes,
 * and never sets a total below the drawn number. Throws pool_not_found, pool_version_not_found,
 * weight_sum_too_large, and stale_version if `current` is given and is not the current version.
 */
export async function restorePool(
  tx: Tx,
  actor: Actor,
  pool_id: number,
  { version: wanted, current }: { readonly version: number; readonly current?: number | undefined },
): Promise<Costed<{ version: number }>> {
  const ahead = await readAhead(tx, [pool_id]);
  const pool = await existingPool(tx, pool_id);
  const [former] = await selectPoolVersions(tx, pool.id, wanted, 1);
  if (current !== undefined && current !== pool.version) {
    throw new AppError("stale_version");
  }
  if (former?.version !== wanted) {
    throw new AppError("pool_version_not_found");
  }
  const old = new Map(former.prizes.map(({ id, ...values }) => [id, values]));
  const prizes = await lockPrizes(tx, [pool.id], [...old.keys()]);
  const valued = await valuePools(tx, [pool.id], ahead);
  const updates = prizes.flatMap((prize) => {
    const was = old.get(prize.id);
    const values = was && { ...was, award_total: Math.max(was.award_total, prize.drawn) };
    const isSame = values && prize.deleted_at === null && isSamePrize(prize, values);
    return values === undefined || isSame === true ? [] : [{ before: prize, values }];
  });
  const removed = prizes.filter(({ id }) => !old.has(id));
  const trace = await applyPrizes(tx, actor, pool, { updates, additions: [], removed });
  const { version } = trace;
  await insertAudit(tx, actor, {
    action: "restore_pool",
    object_type: "pool",
    object_id: pool.id,
    before: { version: pool.version, prizes: trace.before },
    after: { version, restored: wanted, prizes: trace.after },
    about: { prize: trace.ids },
  });
  return { data: { version }, risk: await riskSince(tx, valued) };
}
