/** Saves prizes of a pool at once, all or none, and brings a former version back (behaviour §3). */
import type { FieldFault } from "@red/contract/envelope";
import { AppError, badInput } from "@red/contract/errors";
import type { TextValues } from "@red/contract/errors";
import type { PoolSave } from "@red/contract/pool";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import type { TextKey } from "@red/contract/texts-zh";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { applyPrizes } from "./apply-prizes.ts";
import type { PrizeChanges } from "./apply-prizes.ts";
import { existingPool } from "./change-pool.ts";
import type { Risks } from "./guard.ts";
import { insertPool, lockPool, selectPoolId, selectVersionsOfPools } from "./pool-sql.ts";
import { selectVersion } from "./pool-version-sql.ts";
import {
  isSamePrize,
  lockFormerPrizes,
  lockPrizes,
  prizeValues,
  toPrizeValues,
} from "./prize-sql.ts";
import type { PrizeRow, PrizeValues } from "./prize-sql.ts";

function faultList(language: Language) {
  const faults: FieldFault[] = [];
  const add = (field: string, key: TextKey, values: TextValues = {}, of = "") => {
    faults.push({ field, msg: `${of}${text(key, language, values)}` });
  };
  return { faults, add };
}

interface Sent {
  readonly id?: number | undefined;
  readonly version?: number | undefined;
  readonly award_name?: string;
}

/** Throws pool_save_conflict, which names each prize that was changed or deleted since it was read. */
function requireAsRead(
  { rows, removed = [] }: PoolSave,
  present: ReadonlyMap<number, PrizeRow>,
  language: Language,
): void {
  const { faults, add } = faultList(language);
  const check = (list: string, given: readonly Sent[]) => {
    for (const [at, { id, version, award_name }] of given.entries()) {
      const prize = present.get(id ?? 0);
      if (id !== undefined && prize?.version !== version) {
        const name = prize?.award_name ?? award_name ?? `#${id}`;
        const key = prize === undefined ? "prize_not_found" : "stale_version";
        add(`${list}.${at}.version`, key, {}, `${name}: `);
      }
    }
  };
  check("rows", rows);
  check("removed", removed);
  const [first] = faults;
  if (first !== undefined) {
    throw new AppError("pool_save_conflict", { first: first.msg }, { errors: faults });
  }
}

/** Throws bad_input with the faults by row and field: a prize twice, a name twice, a total below what is drawn. */
function requireFitting(
  { rows, removed = [] }: PoolSave,
  present: ReadonlyMap<number, PrizeRow>,
  language: Language,
): void {
  const { faults, add } = faultList(language);
  const touched = new Set<number>();
  for (const [list, given] of [
    ["rows", rows],
    ["removed", removed],
  ] as const) {
    for (const [at, { id }] of given.entries()) {
      if (id !== undefined && touched.has(id)) {
        add(`${list}.${at}.id`, "prize_sent_twice");
      }
      touched.add(id ?? 0);
    }
  }
  const kept = [...present.values()].filter(({ id }) => !touched.has(id));
  const names = new Set(kept.map((prize) => prize.award_name));
  for (const [at, { id, award_name, award_total }] of rows.entries()) {
    if (names.has(award_name)) {
      add(`rows.${at}.award_name`, "prize_name_taken");
    }
    names.add(award_name);
    const drawn = present.get(id ?? 0)?.drawn ?? 0;
    if (award_total < drawn) {
      add(`rows.${at}.award_total`, "prize_total_below_drawn", { drawn });
    }
  }
  const [first, ...more] = faults;
  if (first !== undefined) {
    throw badInput([first, ...more]);
  }
}

async function poolToSave(tx: Tx, { is_new, pool_name }: PoolSave) {
  if (is_new === true) {
    return await insertPool(tx, pool_name);
  }
  const pool = await lockPool(tx, (await selectPoolId(tx, pool_name)) ?? 0);
  if (pool?.pool_name !== pool_name) {
    throw new AppError("pool_not_found");
  }
  return pool;
}

const shown = (prizes: readonly (PrizeValues & { readonly id?: number })[]) =>
  prizes.map((prize) => ({
    ...(prize.id !== undefined && { id: prize.id }),
    ...toPrizeValues(prize),
  }));

/** What the audit log keeps of a set of changes: the changed prizes before and after. */
function audited({ updates, additions, removed }: PrizeChanges) {
  return {
    before: shown([...updates.map(({ before }) => before), ...removed]),
    after: shown([
      ...updates.map(({ before: { id }, values }) => ({ ...values, id })),
      ...additions,
    ]),
  };
}

/**
 * Saves rows of a grid; prizes that it does not name stay as they are. Answers the pool and the numbers of prizes. Throws
 * pool_not_found, pool_save_conflict, bad_input by row and field, weight_sum_too_large; the taken name of a new pool
 * violates a constraint.
 */
export async function savePool(
  tx: Tx,
  actor: Actor,
  save: PoolSave,
  language: Language,
  risks: Risks = null,
) {
  const pool = await poolToSave(tx, save);
  const present = new Map((await lockPrizes(tx, pool.id)).map((prize) => [prize.id, prize]));
  requireAsRead(save, present, language);
  requireFitting(save, present, language);
  const forms = save.rows.map((row) => ({
    before: present.get(row.id ?? 0) ?? null,
    values: prizeValues({ ...row, pool_name: pool.pool_name }),
  }));
  const changes: PrizeChanges = {
    updates: forms.flatMap(({ before, values }) =>
      before !== null && !isSamePrize(before, values) ? [{ before, values }] : [],
    ),
    additions: forms.flatMap(({ before, values }) => (before === null ? [values] : [])),
    removed: (save.removed ?? []).flatMap(({ id }) => present.get(id) ?? []),
  };
  await applyPrizes(tx, actor, pool, changes, risks);
  const { id, pool_name } = pool;
  const { before, after } = audited(changes);
  await insertAudit(tx, actor, {
    action: "save_pool",
    object_type: "pool",
    object_id: id,
    ...(pool.is_new ? {} : { before: { prizes: before } }),
    after: { pool_name, prizes: after },
  });
  const { updates, additions, removed } = changes;
  return { id, added: additions.length, updated: updates.length, removed: removed.length };
}

/**
 * Makes a former version the next one: its prizes get its values and come back if they were deleted, later ones are
 * deleted. No total falls below what is drawn. Answers the pool's version. Throws pool_not_found,
 * pool_version_not_found, stale_version unless `current` is the version, weight_sum_too_large.
 */
export async function restorePool(
  tx: Tx,
  actor: Actor,
  pool_id: number,
  { version, current }: { readonly version: number; readonly current?: number | undefined },
  risks: Risks = null,
): Promise<number> {
  const pool = await existingPool(tx, pool_id);
  const versionNow = async () => (await selectVersionsOfPools(tx, [pool.id]))[0]?.version ?? 0;
  const from = await versionNow();
  if (current !== undefined && current !== from) {
    throw new AppError("stale_version");
  }
  const former = await selectVersion(tx, pool.id, version);
  if (former === null) {
    throw new AppError("pool_version_not_found");
  }
  const wanted = new Map(former.map(({ id, ...values }) => [id, values]));
  const prizes = await lockFormerPrizes(tx, pool.id, [...wanted.keys()]);
  const changes: PrizeChanges = {
    updates: prizes.flatMap((before) => {
      const old = wanted.get(before.id);
      if (old === undefined) {
        return [];
      }
      const values = { ...old, award_total: Math.max(old.award_total, before.drawn) };
      return before.deleted_at === null && isSamePrize(before, values) ? [] : [{ before, values }];
    }),
    additions: [],
    removed: prizes.filter(({ id, deleted_at }) => deleted_at === null && !wanted.has(id)),
  };
  await applyPrizes(tx, actor, pool, changes, risks);
  const { before, after } = audited(changes);
  await insertAudit(tx, actor, {
    action: "restore_pool",
    object_type: "pool",
    object_id: pool.id,
    before: { version: from, prizes: before },
    after: { restored: version, prizes: after },
  });
  return await versionNow();
}
