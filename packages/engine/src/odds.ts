/** Odds and cost of a pool (behaviour §5), which the console shows beside the prizes. */
import { guaranteedInStock, isGone, weightTable } from "./draw.ts";
import type { PoolPrize } from "./draw.ts";
import type { StockWord } from "@red/contract/draws/player-page";

/** Probabilities of one prize, 0 … 1. */
export interface PrizeOdds {
  readonly id: number;
  /** weight / Σ weight, as if every prize had stock; 0 if all weights are 0. */
  readonly configured: number;
  /** Probability in the next draw at the current stock; 0 for all prizes of a sold-out pool. */
  readonly effective: number;
}

/** A prize with the price of one piece, in cents; 0 for a physical prize. */
export interface PricedPrize extends PoolPrize {
  readonly award_price_cents: number;
}

export const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/**
 * The next draw gives prize i with probability parts[i] / whole; whole is 0 if the pool is sold out. If no
 * guaranteed prize has stock, the other prizes share the lost weight in proportion to their own weight: w/Σ +
 * (lost/Σ)(w/rest) = w/rest.
 */
function sharesOf<P extends PoolPrize>(prizes: readonly P[]) {
  const table = weightTable(prizes);
  const own = prizes.map((prize) => (isGone(prize) ? 0 : prize.weight));
  const rest = sumOf(own);
  const guaranteed = guaranteedInStock(table, isGone);
  if (guaranteed === null) {
    return { total: table.total, parts: own, whole: rest };
  }
  // If all weights are 0, every draw gives the guaranteed prize: one part of one.
  const lost = table.total === 0 ? 1 : table.total - rest;
  const parts = prizes.map((prize, at) => (own[at] ?? 0) + (prize === guaranteed ? lost : 0));
  return { total: table.total, parts, whole: rest + lost };
}

/** Returns the probabilities of every prize, in the given order (id order). Throws RangeError like `weightTable`. */
export function oddsOf(prizes: readonly PoolPrize[]): PrizeOdds[] {
  const { total, parts, whole } = sharesOf(prizes);
  return prizes.map(({ id, weight }, at) => ({
    id,
    configured: total === 0 ? 0 : weight / total,
    effective: whole === 0 ? 0 : (parts[at] ?? 0) / whole,
  }));
}

/**
 * Decimal places of a probability text, enough that the smallest probability (weight 1 of `WEIGHT_SUM_MAX`) is not 0.
 */
const PLACES = 15;

/**
 * Returns the effective probabilities as decimal texts, in the given order. All 15 places are exact except
 * the last place. The probabilities add up to 1, or to 0 if sold out, because the texts with the largest
 * remainders are rounded up. Throws RangeError like `weightTable`.
 */
export function probabilityTexts(prizes: readonly PoolPrize[]): string[] {
  const { parts, whole } = sharesOf(prizes);
  const one = 10n ** BigInt(PLACES);
  const divisor = BigInt(Math.max(whole, 1));
  const shares = parts.map((part, at) => {
    const scaled = BigInt(part) * one;
    return { at, down: scaled / divisor, rest: scaled % divisor };
  });
  const missing = whole === 0 ? 0n : shares.reduce((left, { down }) => left - down, one);
  const up = new Set(
    shares
      .toSorted((a, b) => Number(b.rest - a.rest))
      .slice(0, Number(missing))
      .map(({ at }) => at),
  );
  return shares.map(({ at, down }) => {
    const digits = String(down + (up.has(at) ? 1n : 0n)).padStart(PLACES + 1, "0");
    return `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`.replace(/\.?0*$/, "");
  });
}

/** Σ price × count as a bigint, because price times weight can exceed the safe integers (10^12 · 10^9). */
const costOf = (prizes: readonly PricedPrize[], counts: readonly number[]) =>
  prizes.reduce(
    (cost, prize, at) => cost + BigInt(prize.award_price_cents) * BigInt(counts[at] ?? 0),
    0n,
  );

/**
 * Returns the average cost of the next draw at the current stock, times `draws`, in whole cents. The cost is computed
 * exactly and rounded once, half a cent up. Returns 0 if sold out. Throws RangeError like `weightTable`.
 */
export function expectedCostCents(prizes: readonly PricedPrize[], draws = 1): number {
  const { parts, whole } = sharesOf(prizes);
  if (whole === 0) {
    return 0;
  }
  const sum = costOf(prizes, parts);
  const divisor = BigInt(whole);
  return Number((2n * BigInt(draws) * sum + divisor) / (2n * divisor));
}

/**
 * Returns the cost in cents of drawing the whole remaining stock: Σ price × left. Returns null beyond the
 * safe integers.
 */
export function largestCostCents(prizes: readonly PricedPrize[]): number | null {
  const sum = costOf(
    prizes,
    prizes.map(({ left }) => Math.max(0, left)),
  );
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : null;
}

/** A change by at least this factor is reported as a jump. */
const JUMP = 2;

/**
 * Returns the factor from cost `before` to `after`, rounded down to a tenth. Returns null for a factor below
 * JUMP, and if the cost was 0 before.
 */
export function costJump(before: number, after: number): number | null {
  return before === 0 || after < JUMP * before ? null : Math.floor((after / before) * 10) / 10;
}

/** Stock is low if a smaller share than this is left. */
const LOW_SHARE = 0.1;

/**
 * Returns the stock level of a pool before a round starts on it. `empty`: the next draw would find the pool sold out.
 * `low`: less than LOW_SHARE of all pieces is left. `fine`: any other stock. Throws RangeError like `weightTable`.
 */
export function stockLevel(
  prizes: readonly (PoolPrize & { readonly award_total: number })[],
): "empty" | "low" | "fine" {
  if (sharesOf(prizes).whole === 0) {
    return "empty";
  }
  const left = sumOf(prizes.map((prize) => Math.max(0, prize.left)));
  const total = sumOf(prizes.map((prize) => prize.award_total));
  return left < total * LOW_SHARE ? "low" : "fine";
}

/** Up to this number of pieces the stock is "few", however small the total is. */
const FEW = 10;

/**
 * Returns the stock of one prize in words, for players. "few" means up to ten pieces, or less than a tenth of
 * the total.
 */
export function stockWord(left: number, award_total: number): StockWord {
  if (left <= 0) {
    return "none";
  }
  return left <= FEW || left * 10 < award_total ? "few" : "plenty";
}
