/** Effects on a pool: of an import, of saving a prize, of deleting one (behaviour §5, §12). */
import type { ImportPreview, PoolPreview, Prize, PrizeOnWire } from "@red/contract/pools/prize";
import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import { parseCents } from "@red/contract/platform/money";
import { figuresAfter, figuresOf } from "./pool-math.ts";
import type { PoolFigures } from "./pool-math.ts";
import { costJump } from "@red/engine/odds";

export interface PrizeSide extends PrizeOnWire {
  /** Share 0 … 1 of all draws while every prize is in stock. */
  readonly odds: number;
}

export interface PrizeChange {
  readonly award_name: string;
  readonly before: PrizeSide | null;
  readonly after: PrizeSide;
}

/** Prizes that differ between `now` and `then` (the whole pool): added and changed ones first, then those with other odds. */
export function prizeChanges(
  now: readonly Prize[],
  then: PoolPreview["prizes"],
): readonly PrizeChange[] {
  const { odds: oddsNow } = figuresOf(now);
  const { odds: oddsThen } = figuresAfter(then);
  const sides = new Map(
    now.map((prize): [string, PrizeSide] => [
      prize.award_name,
      { ...prize, odds: oddsNow.get(prize.id)?.configured ?? 0 },
    ]),
  );
  const changes = then.flatMap((prize, index) => {
    const before = sides.get(prize.award_name) ?? null;
    const after = { ...prize, odds: oddsThen.get(index)?.configured ?? 0 };
    const isNamed = prize.change !== "unchanged";
    const isSame = !isNamed && before?.odds === after.odds;
    return isSame ? [] : [{ award_name: prize.award_name, before, after, isNamed }];
  });
  return changes.toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed));
}

/** How many prizes an import changes, and how many are in the pool already as the file has them. */
export function importCounts({ updated: named, pools }: Pick<ImportPreview, "updated" | "pools">) {
  const updated = pools
    .flatMap(({ prizes }) => prizes)
    .filter(({ change }) => change === "updated").length;
  return { updated, same: named - updated };
}

/** A prize in the form; undefined or empty while not entered. */
export interface EnteredPrize {
  readonly weight?: string | undefined;
  readonly award_total?: string | undefined;
  readonly award_price?: string | undefined;
  readonly floors?: 0 | 1 | undefined;
}

/** The digits as a safe integer; null for anything else. */
function wholeOf(digits: string | undefined): number | null {
  const value = Number(digits);
  return digits !== undefined && /^\d+$/.test(digits) && Number.isSafeInteger(value) ? value : null;
}

/** Factor of the increase, from 2 on; else null. */
function jump(before: string | null, after: string | null): number | null {
  return before === null || after === null
    ? null
    : costJump(parseCents(before) ?? 0, parseCents(after) ?? 0);
}

export function costEffect(before: PoolFigures, after: PoolFigures) {
  return {
    before,
    after,
    averageJump: jump(before.average, after.average),
    exposureJump: jump(before.exposure, after.exposure),
  };
}

export type CostEffect = ReturnType<typeof costEffect>;

/** Effect of `entered` as prize `id` (null: a new one); null if a number is invalid or `prizes` lacks the prize. */
export function prizeEffect(prizes: readonly Prize[], id: number | null, entered: EnteredPrize) {
  const weight = wholeOf(entered.weight);
  const award_total = wholeOf(entered.award_total);
  const { award_price = "", floors = 0 } = entered;
  const changed = prizes.find((prize) => prize.id === id);
  if (
    weight === null ||
    award_total === null ||
    parseCents(award_price) === null ||
    // Too large for the draw: the server refuses the sum.
    prizes.reduce((sum, prize) => (prize === changed ? sum : sum + prize.weight), weight) >
      WEIGHT_SUM_MAX ||
    (id !== null && changed === undefined)
  ) {
    return null;
  }
  // A new prize is last in the order of the draw.
  const saved = {
    id: id ?? Math.max(0, ...prizes.map((prize) => prize.id)) + 1,
    weight,
    award_total,
    award_price,
    floors,
    remaining: Math.max(0, award_total - (changed?.drawn ?? 0)),
  };
  const before = figuresOf(prizes);
  const after = figuresOf([...prizes.filter((prize) => prize !== changed), saved]);
  return {
    ...costEffect(before, after),
    /** The guaranteed flag, if saving changes it; null otherwise and for a new prize. */
    floors:
      changed === undefined || changed.floors === floors
        ? null
        : { before: changed.floors, after: floors },
    /** Shares 0 … 1 of all draws while every prize is in stock; null for a new prize. */
    oddsBefore: id === null ? null : (before.odds.get(id)?.configured ?? 0),
    oddsAfter: after.odds.get(saved.id)?.configured ?? 0,
  };
}

/** The effect of deleting `removed`; `prizes` is the whole pool. */
export function removalEffect(prizes: readonly Prize[], removed: Pick<Prize, "id">) {
  const staying = prizes.filter(({ id }) => id !== removed.id);
  const before = figuresOf(prizes);
  const after = figuresOf(staying);
  const share = ({ odds }: PoolFigures, id: number) => odds.get(id)?.configured ?? 0;
  return {
    ...costEffect(before, after),
    /** Shares 0 … 1 of the remaining prizes whose odds change, largest first. */
    odds: staying
      .map(({ id, award_name }) => ({
        award_name,
        before: share(before, id),
        after: share(after, id),
      }))
      .filter((odds) => odds.before !== odds.after)
      .toSorted((a, b) => b.after - a.after),
    /** The removed prize is the last guaranteed one with stock. */
    isOnlyFloor: before.hasGuaranteedStock && !after.hasGuaranteedStock,
  };
}

export type RemovalEffect = ReturnType<typeof removalEffect>;
