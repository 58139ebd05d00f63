/** Computes how a pool changes through an import, a saved prize or a deleted prize (behaviour §5, §12). */
import type { ImportPreview, PoolPreview, Prize, PrizeOnWire } from "@red/contract/pools/prize";
import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import { parseCents } from "@red/contract/platform/money";
import { figuresAfter, figuresOf } from "./pool-math.ts";
import type { PoolFigures } from "./pool-math.ts";
import { costJump } from "@red/engine/odds";

export interface PrizeSide extends PrizeOnWire {
  /** Share of all draws (0 … 1) while every prize is in stock. */
  readonly odds: number;
}

export interface PrizeChange {
  readonly award_name: string;
  readonly before: PrizeSide | null;
  readonly after: PrizeSide;
}

/**
 * Returns the prizes that differ between `now` and `then`, which both list the whole pool. Added and changed prizes
 * come first, then prizes of which only the odds change.
 */
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

/** Counts the prizes that an import changes, and the prizes that already have the values of the file. */
export function importCounts({ updated: named, pools }: Pick<ImportPreview, "updated" | "pools">) {
  const updated = pools
    .flatMap(({ prizes }) => prizes)
    .filter(({ change }) => change === "updated").length;
  return { updated, same: named - updated };
}

/** A prize in the form. A field is undefined or empty until the operator fills it. */
export interface EnteredPrize {
  readonly weight?: string | undefined;
  readonly award_total?: string | undefined;
  readonly award_price?: string | undefined;
  readonly floors?: 0 | 1 | undefined;
}

/** Returns the number if the text is a safe integer in digits, else null. */
function wholeOf(digits: string | undefined): number | null {
  const value = Number(digits);
  return digits !== undefined && /^\d+$/.test(digits) && Number.isSafeInteger(value) ? value : null;
}

/** Returns the factor of the increase if it is at least 2, else null. */
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

/**
 * Returns the effect of saving `entered` as prize `id` (null for a new prize). Returns null if a number is invalid or
 * if `prizes` does not contain the prize.
 */
export function prizeEffect(prizes: readonly Prize[], id: number | null, entered: EnteredPrize) {
  const weight = wholeOf(entered.weight);
  const award_total = wholeOf(entered.award_total);
  const { award_price = "", floors = 0 } = entered;
  const changed = prizes.find((prize) => prize.id === id);
  if (
    weight === null ||
    award_total === null ||
    parseCents(award_price) === null ||
    // The server rejects a pool whose total weight is above the maximum.
    prizes.reduce((sum, prize) => (prize === changed ? sum : sum + prize.weight), weight) >
      WEIGHT_SUM_MAX ||
    (id !== null && changed === undefined)
  ) {
    return null;
  }
  // A new prize is the last prize in the order of the draw.
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
    /** Old and new value of the guaranteed flag. Null if the flag does not change or the prize is new. */
    floors:
      changed === undefined || changed.floors === floors
        ? null
        : { before: changed.floors, after: floors },
    /** Share of all draws (0 … 1) while every prize is in stock. Null for a new prize. */
    oddsBefore: id === null ? null : (before.odds.get(id)?.configured ?? 0),
    oddsAfter: after.odds.get(saved.id)?.configured ?? 0,
  };
}

/** Returns the effect of deleting `removed`. `prizes` must be the whole pool. */
export function removalEffect(prizes: readonly Prize[], removed: Pick<Prize, "id">) {
  const staying = prizes.filter(({ id }) => id !== removed.id);
  const before = figuresOf(prizes);
  const after = figuresOf(staying);
  const share = ({ odds }: PoolFigures, id: number) => odds.get(id)?.configured ?? 0;
  return {
    ...costEffect(before, after),
    /** Shares (0 … 1) of the remaining prizes whose odds change, in descending order of the new share. */
    odds: staying
      .map(({ id, award_name }) => ({
        award_name,
        before: share(before, id),
        after: share(after, id),
      }))
      .filter((odds) => odds.before !== odds.after)
      .toSorted((a, b) => b.after - a.after),
    /** Whether the pool loses its last guaranteed prize in stock. */
    isOnlyFloor: before.hasGuaranteedStock && !after.hasGuaranteedStock,
  };
}

export type RemovalEffect = ReturnType<typeof removalEffect>;
