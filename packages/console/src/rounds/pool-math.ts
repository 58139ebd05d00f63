/** What a pool gives and may cost, in the engine's words (behaviour §5). */
import { formatCents, parseCents } from "@red/contract/money";
import type { PoolPreview, Prize } from "@red/contract/prize";
import { weightTable } from "@red/engine/draw";
import { expectedCostCents, largestCostCents, oddsOf, stockLevel } from "@red/engine/odds";
import type { PrizeOdds } from "@red/engine/odds";

export interface PoolFigures {
  readonly odds: ReadonlyMap<number, PrizeOdds>;
  readonly remaining: number;
  /** Decimal text: what the next draw costs on average. */
  readonly average: string;
  /** Decimal text; null when beyond what a number of cents can say. */
  readonly exposure: string | null;
  readonly hasGuaranteedStock: boolean;
  /** Ids of the guaranteed prizes with stock: the first is given for what is gone, until it is too. */
  readonly standIns: readonly number[];
  /** Sold out, nearly so, or neither. */
  readonly level: "empty" | "low" | "fine";
}

type Drawable = Pick<
  Prize,
  "id" | "weight" | "floors" | "remaining" | "award_price" | "award_total"
>;

export function figuresOf(prizes: readonly Drawable[]): PoolFigures {
  const pool = prizes
    .map(({ id, weight, floors, remaining, award_price, award_total }) => ({
      id,
      weight,
      award_total,
      floors: floors === 1,
      left: remaining,
      award_price_cents: parseCents(award_price) ?? 0,
    }))
    // The engine wants the order in which the draw goes through them.
    .toSorted((a, b) => a.id - b.id);
  const exposure = largestCostCents(pool);
  const standIns = weightTable(pool).guaranteed.filter(({ left }) => left > 0);
  return {
    odds: new Map(oddsOf(pool).map((odds) => [odds.id, odds])),
    remaining: pool.reduce((sum, { left }) => sum + left, 0),
    average: formatCents(expectedCostCents(pool)),
    exposure: exposure === null ? null : formatCents(exposure),
    level: stockLevel(pool),
    hasGuaranteedStock: standIns.length > 0,
    standIns: standIns.map(({ id }) => id),
  };
}

/** What a pool would give and cost after an import, its prizes in the order of the draw. */
export function figuresAfter(prizes: PoolPreview["prizes"]): PoolFigures {
  return figuresOf(
    prizes.map((prize, id) => ({ ...prize, id, remaining: prize.award_total - prize.drawn })),
  );
}

/** Would the pool have nothing left to draw without this prize, although it has now? */
export function isLastDrawable(prizes: readonly Drawable[], { id }: Pick<Drawable, "id">): boolean {
  return (
    figuresOf(prizes).level !== "empty" &&
    figuresOf(prizes.filter((prize) => prize.id !== id)).level === "empty"
  );
}

/** Price 0.00 means physical (spec §3). */
export function isPhysical({ award_price }: Pick<Prize, "award_price">): boolean {
  return parseCents(award_price) === 0;
}

/** "pool N" with N the smallest that no pool has (behaviour §3). */
export function nextPoolName(names: readonly string[]): string {
  const taken = new Set(names);
  let number = 1;
  while (taken.has(`pool ${number}`)) {
    number += 1;
  }
  return `pool ${number}`;
}
