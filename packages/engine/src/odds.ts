/** What a pool gives and what it may cost (behaviour §5): shown beside the prizes of a pool. */
import { guaranteedInStock, isGone, weightTable } from "./draw.ts";
import type { PoolPrize } from "./draw.ts";

/** Probabilities of one prize, 0 … 1. */
export interface PrizeOdds {
  readonly id: number;
  /** weight / Σ weight, as if every prize had stock; 0 when the weights are all 0. */
  readonly configured: number;
  /** That the next draw gives this prize, with the stock as it is; 0 for all when sold out. */
  readonly effective: number;
}

/** A prize with what one piece of it costs, in cents; 0 for a physical one. */
export interface PricedPrize extends PoolPrize {
  readonly award_price_cents: number;
}

/**
 * The next draw gives prize i with probability parts[i] / whole; whole is 0 when sold out. Without
 * a guaranteed prize in stock the lost weight falls to the others in proportion to their own: w/Σ +
 * (lost/Σ)(w/rest) = w/rest.
 */
function sharesOf<P extends PoolPrize>(prizes: readonly P[]) {
  const table = weightTable(prizes);
  const own = prizes.map((prize) => (isGone(prize) ? 0 : prize.weight));
  const rest = own.reduce((sum, weight) => sum + weight, 0);
  const guaranteed = guaranteedInStock(table, isGone);
  if (guaranteed === null) {
    return { total: table.total, parts: own, whole: rest };
  }
  // With weights that are all 0 every draw gives the guaranteed prize: one part of one.
  const lost = table.total === 0 ? 1 : table.total - rest;
  const parts = prizes.map((prize, at) => (own[at] ?? 0) + (prize === guaranteed ? lost : 0));
  return { total: table.total, parts, whole: rest + lost };
}

/**
 * The probabilities of every prize, in the order given (id order). Throws RangeError as
 * `weightTable` does.
 */
export function oddsOf(prizes: readonly PoolPrize[]): PrizeOdds[] {
  const { total, parts, whole } = sharesOf(prizes);
  return prizes.map(({ id, weight }, at) => ({
    id,
    configured: total === 0 ? 0 : weight / total,
    effective: whole === 0 ? 0 : (parts[at] ?? 0) / whole,
  }));
}

/**
 * What the next draw costs on average with the stock as it is, in whole cents: computed exactly and
 * rounded once, half a cent up. 0 when sold out. Throws RangeError as `weightTable` does.
 */
export function expectedCostCents(prizes: readonly PricedPrize[]): number {
  const { parts, whole } = sharesOf(prizes);
  if (whole === 0) {
    return 0;
  }
  // Price times weight leaves the safe integers (10^12 · 10^9), so bigint carries it.
  const sum = prizes.reduce(
    (cost, prize, at) => cost + BigInt(prize.award_price_cents) * BigInt(parts[at] ?? 0),
    0n,
  );
  const divisor = BigInt(whole);
  return Number((2n * sum + divisor) / (2n * divisor));
}

/**
 * What the remaining stock costs when all of it is drawn, in cents: Σ price × left. Null when that is
 * beyond the safe integers (more than 90 trillion), where no number of cents would be exact.
 */
export function largestCostCents(prizes: readonly PricedPrize[]): number | null {
  const sum = prizes.reduce(
    (cost, prize) => cost + BigInt(prize.award_price_cents) * BigInt(Math.max(0, prize.left)),
    0n,
  );
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : null;
}

/** From so many times the former cost on, a change is told as a jump. */
const JUMP = 2;

/**
 * How many times what it cost `before` something costs `after`, both in cents: rounded down to a tenth.
 * Null below twice, where there is nothing to look at twice, and where it cost nothing before.
 */
export function costJump(before: number, after: number): number | null {
  return before === 0 || after < JUMP * before ? null : Math.floor((after / before) * 10) / 10;
}

/** Stock of which less than this share is left is low. */
const LOW_SHARE = 0.1;

/**
 * How a pool stands before a round is started on it: `empty` when the next draw would be sold out, `low`
 * when less than a tenth of all pieces is left, else `fine`. Throws RangeError as `weightTable` does.
 */
export function stockLevel(
  prizes: readonly (PoolPrize & { readonly award_total: number })[],
): "empty" | "low" | "fine" {
  if (sharesOf(prizes).whole === 0) {
    return "empty";
  }
  const left = prizes.reduce((sum, prize) => sum + Math.max(0, prize.left), 0);
  const total = prizes.reduce((sum, prize) => sum + prize.award_total, 0);
  return left < total * LOW_SHARE ? "low" : "fine";
}
