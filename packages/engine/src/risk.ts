/** What a change of prizes may cost while rounds run on them (behaviour §3 "Guard"). */
import { expectedCostCents } from "./odds.ts";
import type { PricedPrize } from "./odds.ts";

/** Draws of each running round that are looked ahead. */
const DRAWS_AHEAD = 1_000;

/** A pool with its number of running rounds, which share its stock; prizes in id order. */
export interface LivePool {
  readonly rounds: number;
  readonly prizes: readonly PricedPrize[];
}

/** The pools that a change touches, before and after it. */
export interface PoolChange {
  readonly before: readonly LivePool[];
  readonly after: readonly LivePool[];
}

export interface Risk {
  /** What the change may cost more, in cents; at least 0, at most the largest safe integer. */
  readonly risk_cents: number;
  /** Average cost of the next draw of a running round, in whole cents; 0 without any. */
  readonly cost_before_cents: number;
  readonly cost_after_cents: number;
}

/** ln k! by Stirling's series, exact to 12 places. */
function logFactorial(k: number): number {
  if (k < 16) {
    return Math.log(
      Array.from({ length: k }, (_, at) => at + 1).reduce((all, one) => all * one, 1),
    );
  }
  return (
    (k + 0.5) * Math.log(k) - k + Math.log(2 * Math.PI) / 2 + 1 / (12 * k) - 1 / (360 * k ** 3)
  );
}

/** The mean of min(N, limit) if N is a count of mean `mean` (Poisson): pieces given of `limit`. */
function meanGiven(mean: number, limit: number): number {
  const far = 12 * Math.sqrt(mean) + 30;
  if (mean <= 0 || limit <= 0 || limit > mean + far) {
    return limit <= 0 ? 0 : mean;
  }
  if (limit < mean - far) {
    return limit;
  }
  // P(N < limit), from its largest count down.
  const last = Math.exp((limit - 1) * Math.log(mean) - mean - logFactorial(limit - 1));
  let below = 0;
  let part = last;
  for (let k = limit - 1; k >= 0 && (k > mean || part > 1e-18); k -= 1) {
    below += part;
    part *= k / mean;
  }
  return mean * (below - last) + limit * (1 - below);
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** Can the next draws give it? Without weight only as guaranteed. */
function isDrawable(prize: PricedPrize): boolean {
  return prize.left > 0 && (prize.weight > 0 || prize.floors);
}

/**
 * Mean pieces of each prize given by the time of `tickets` first tickets. A prize that is not guaranteed is given to its
 * own tickets until it runs out; all other tickets go to guaranteed prizes, the heaviest first, and to
 * nothing when they are gone too: such a ticket is drawn again.
 */
function givenAfter(tickets: number, prizes: readonly PricedPrize[], total: number): number[] {
  const own = prizes.map((prize) =>
    total === 0 ? 0 : meanGiven((tickets * prize.weight) / total, prize.left),
  );
  const guaranteed = [...prizes.keys()]
    .filter((at) => prizes[at]?.floors === true)
    .toSorted((a, b) => (prizes[b]?.weight ?? 0) - (prizes[a]?.weight ?? 0));
  const lefts = guaranteed.map((at) => prizes[at]?.left ?? 0);
  const others = sumOf(own) - sumOf(guaranteed.map((at) => own[at] ?? 0));
  let rest = meanGiven(tickets - others, sumOf(lefts));
  let lighter = sumOf(guaranteed.map((at) => own[at] ?? 0));
  const given = [...own];
  guaranteed.forEach((at, place) => {
    lighter -= own[at] ?? 0;
    given[at] = Math.min(lefts[place] ?? 0, Math.max(0, rest - lighter));
    rest -= given[at];
  });
  return given;
}

/** Expected cost in cents of the next `draws`, with stock that runs out; exact to about 0.3 %. */
export function expectedCostOf(draws: number, all: readonly PricedPrize[]): number {
  const prizes = all.filter(isDrawable);
  const cost = (pieces: readonly number[]) =>
    sumOf(prizes.map((prize, at) => prize.award_price_cents * (pieces[at] ?? 0)));
  const lefts = prizes.map((prize) => prize.left);
  if (sumOf(lefts) <= draws) {
    return cost(lefts);
  }
  // Weights of prizes already gone lead to a guaranteed one, or are drawn again.
  const isGuaranteed = prizes.some((prize) => prize.floors);
  const total = sumOf((isGuaranteed ? all : prizes).map((prize) => prize.weight));
  const given = (tickets: number) => givenAfter(tickets, prizes, total);
  let high = draws;
  while (sumOf(given(high)) < draws * (1 - 1e-9)) {
    high *= 2;
  }
  let low = high === draws ? high : high / 2;
  for (let step = 0; step < 50 && high - low > 1e-9 * high; step += 1) {
    const middle = (low + high) / 2;
    [low, high] = sumOf(given(middle)) < draws ? [middle, high] : [low, middle];
  }
  return cost(given(high));
}

function largestOf(pools: readonly LivePool[]): bigint {
  return pools
    .filter(({ rounds }) => rounds > 0)
    .flatMap(({ prizes }) => prizes.filter(isDrawable))
    .reduce((sum, prize) => sum + BigInt(prize.award_price_cents) * BigInt(prize.left), 0n);
}

function nextOf(pools: readonly LivePool[]): number {
  return sumOf(
    pools.map(({ rounds, prizes }) =>
      rounds === 0 ? 0 : expectedCostOf(DRAWS_AHEAD * rounds, prizes),
    ),
  );
}

function perDraw(pools: readonly LivePool[]): number {
  const rounds = sumOf(pools.map((pool) => pool.rounds));
  const sum = sumOf(pools.map((pool) => pool.rounds * expectedCostCents(pool.prizes)));
  return rounds === 0 ? 0 : Math.round(sum / rounds);
}

/**
 * The larger of two growths, at least 0: of the largest remaining cost (every piece left that can be drawn, at its
 * price), and of the expected cost of the next 1,000 draws of each running round. Throws RangeError like `weightTable`.
 */
export function risk({ before, after }: PoolChange): Risk {
  const largest = Number(largestOf(after) - largestOf(before));
  const next = Math.round(nextOf(after) - nextOf(before));
  return {
    risk_cents: Math.min(Math.max(0, largest, next), Number.MAX_SAFE_INTEGER),
    cost_before_cents: perDraw(before),
    cost_after_cents: perDraw(after),
  };
}
