/** Odds, stock and costs of a pool. The engine computes these figures (behaviour §5). */
import { formatCents, parseCents } from "@red/contract/platform/money";
import type { PoolPreview, Prize } from "@red/contract/pools/prize";
import { weightTable } from "@red/engine/draw";
import { expectedCostCents, largestCostCents, oddsOf, stockLevel } from "@red/engine/odds";
import type { PrizeOdds } from "@red/engine/odds";

export interface PoolFigures {
  readonly odds: ReadonlyMap<number, PrizeOdds>;
  readonly remaining: number;
  /** Expected cost of the next draw, as decimal text. */
  readonly average: string;
  /** Maximum cost of the remaining stock, as decimal text. Null if the amount is too large to count in cents. */
  readonly exposure: string | null;
  readonly hasGuaranteedStock: boolean;
  /** Ids of the guaranteed prizes in stock, in the order in which they replace sold-out prizes. */
  readonly replacements: readonly number[];
  readonly level: "empty" | "low" | "fine";
}

type Drawable = Pick<
  Prize,
  "id" | "weight" | "floors" | "remaining" | "award_price" | "award_total"
>;

export function figuresOf(prizes: readonly Drawable[]): PoolFigures {
  const pool = prizes
    .map((prize) => ({
      ...prize,
      floors: prize.floors === 1,
      left: prize.remaining,
      award_price_cents: parseCents(prize.award_price) ?? 0,
    }))
    // The engine expects prizes in the order of the draw.
    .toSorted((a, b) => a.id - b.id);
  const exposure = largestCostCents(pool);
  const replacements = weightTable(pool).guaranteed.filter(({ left }) => left > 0);
  return {
    odds: new Map(oddsOf(pool).map((odds) => [odds.id, odds])),
    remaining: pool.reduce((sum, { left }) => sum + left, 0),
    average: formatCents(expectedCostCents(pool)),
    exposure: exposure === null ? null : formatCents(exposure),
    level: stockLevel(pool),
    hasGuaranteedStock: replacements.length > 0,
    replacements: replacements.map(({ id }) => id),
  };
}

/** Returns the figures of the pool after an import. `prizes` must have the order of the draw. */
export function figuresAfter(prizes: PoolPreview["prizes"]): PoolFigures {
  return figuresOf(
    prizes.map((prize, id) => ({ ...prize, id, remaining: prize.award_total - prize.drawn })),
  );
}

export function isLastDrawable(prizes: readonly Drawable[], { id }: Pick<Drawable, "id">): boolean {
  return (
    figuresOf(prizes).level !== "empty" &&
    figuresOf(prizes.filter((prize) => prize.id !== id)).level === "empty"
  );
}

/** A prize with the price 0.00 is physical (spec §3). */
export function isPhysical({ award_price }: Pick<Prize, "award_price">): boolean {
  return parseCents(award_price) === 0;
}

/** Returns "pool N" with the smallest free N (behaviour §3). `word` replaces "pool". */
export function nextPoolName(names: readonly string[], word = "pool"): string {
  const taken = new Set(names);
  let number = 1;
  while (taken.has(`${word} ${number}`)) {
    number += 1;
  }
  return `${word} ${number}`;
}
