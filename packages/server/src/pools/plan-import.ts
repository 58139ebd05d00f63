/** Plans the changes that a prize file makes to its pools (behaviour §12). Preview and import use the same plan. */
import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import type { ImportPreview, PoolPreview, RowFault } from "@red/contract/pools/prize";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import { isSamePrize, prizeValues, toPrizeValues } from "./prize-sql.ts";
import type { PrizeRow, PrizeValues } from "./prize-sql.ts";
import type { PrizeFile, PrizeRowForm } from "./prize-file.ts";

interface PlannedUpdate {
  readonly row: number;
  readonly before: PrizeRow;
  readonly values: PrizeValues;
  readonly isChange: boolean;
}

export interface PlannedPool {
  readonly pool_name: string;
  readonly is_new: boolean;
  readonly kept: readonly PrizeRow[];
  readonly updates: readonly PlannedUpdate[];
  readonly additions: readonly PrizeValues[];
  readonly before: PoolPreview["before"];
  readonly after: PoolPreview["after"];
}

export interface ImportPlan {
  readonly added: number;
  readonly updated: number;
  /** One error rejects the whole file; then `pools` is empty. */
  readonly errors: readonly RowFault[];
  readonly pools: readonly PlannedPool[];
}

/** A plan with the hash of its inputs as `name`. */
export interface NamedPlan extends ImportPlan {
  readonly name: string;
}

function totalsOf(prizes: readonly Pick<PrizeValues, "award_total" | "weight">[]) {
  return {
    prize_total: prizes.reduce((sum, prize) => sum + prize.award_total, 0),
    weight_total: prizes.reduce((sum, prize) => sum + prize.weight, 0),
  };
}

/** `prizes` are the prizes of the pool, or null if the pool is new. */
function planPool(
  pool_name: string,
  rows: readonly PrizeRowForm[],
  prizes: readonly PrizeRow[] | null,
): PlannedPool {
  const byName = new Map((prizes ?? []).map((prize) => [prize.award_name, prize]));
  const updates: PlannedUpdate[] = [];
  const additions: PrizeValues[] = [];
  for (const { row, form } of rows) {
    const before = byName.get(form.award_name);
    const values = prizeValues(form);
    if (before === undefined) {
      additions.push(values);
    } else {
      byName.delete(form.award_name);
      updates.push({ row, before, values, isChange: !isSamePrize(before, values) });
    }
  }
  const kept = [...byName.values()];
  const after = totalsOf([...kept, ...updates.map((update) => update.values), ...additions]);
  const before = totalsOf(prizes ?? []);
  return { pool_name, is_new: prizes === null, kept, updates, additions, before, after };
}

function faultsOfPool(
  pool: PlannedPool,
  rows: readonly PrizeRowForm[],
  language: Language,
): RowFault[] {
  const faults = pool.updates
    .filter(({ before, values }) => values.award_total < before.drawn)
    .map(({ row, before, values }) => ({
      row,
      column: "award_total",
      value: String(values.award_total),
      msg: text("prize_total_below_drawn", language, { drawn: before.drawn }),
    }));
  const [first] = rows;
  if (first !== undefined && pool.after.weight_total > WEIGHT_SUM_MAX) {
    const value = String(pool.after.weight_total);
    const msg = text("weight_sum_too_large", language);
    faults.push({ row: first.row, column: "weight", value, msg });
  }
  return faults;
}

export function poolNames(file: PrizeFile): string[] {
  return [...new Set(file.prizes.map(({ form }) => form.pool_name))];
}

/** `present` contains the prizes of the existing pools by pool name. The import creates every other pool. */
export function planImport(
  file: PrizeFile,
  present: ReadonlyMap<string, readonly PrizeRow[]>,
  language: Language,
): ImportPlan {
  const errors = [...file.faults];
  const pools = poolNames(file).map((pool_name) => {
    const rows = file.prizes.filter(({ form }) => form.pool_name === pool_name);
    const pool = planPool(pool_name, rows, present.get(pool_name) ?? null);
    errors.push(...faultsOfPool(pool, rows, language));
    return pool;
  });
  if (errors.length > 0) {
    const sorted = errors.toSorted((one, other) => one.row - other.row);
    return { added: 0, updated: 0, errors: sorted, pools: [] };
  }
  return {
    added: pools.reduce((sum, pool) => sum + pool.additions.length, 0),
    updated: pools.reduce((sum, pool) => sum + pool.updates.length, 0),
    errors,
    pools,
  };
}

/** Returns the prizes of the pool after the import in draw order: existing prizes by id, then new prizes. */
function previewPrizes(pool: PlannedPool): PoolPreview["prizes"] {
  const row = (
    values: PrizeValues,
    drawn: number,
    change: PoolPreview["prizes"][number]["change"],
  ): PoolPreview["prizes"][number] => ({ ...toPrizeValues(values), drawn, change });
  const present = [
    ...pool.kept.map((before) => ({ before, values: before, isChange: false })),
    ...pool.updates,
  ].toSorted((one, other) => one.before.id - other.before.id);
  return [
    ...present.map(({ before, values, isChange }) =>
      row(values, before.drawn, isChange ? "updated" : "unchanged"),
    ),
    ...pool.additions.map((values) => row(values, 0, "added")),
  ];
}

export function toPreview(plan: NamedPlan): ImportPreview {
  return {
    added: plan.added,
    updated: plan.updated,
    plan: plan.name,
    errors: [...plan.errors],
    pools: plan.pools.map((pool) => ({
      pool_name: pool.pool_name,
      is_new: pool.is_new,
      before: pool.before,
      after: pool.after,
      prizes: previewPrizes(pool),
    })),
  };
}
