/** Computes the cost of a pool's next draws, during which stock may run out (behaviour §16). */
import { sumOf } from "./odds.ts";
import type { PricedPrize } from "./odds.ts";

/** Above this mean the normal distribution replaces the Poisson distribution, with an error below 0.05 pieces. */
const MANY = 100;

/** Density and upper tail of the normal distribution (Abramowitz and Stegun 26.2.17, error below 0.0000001). */
function normalAt(z: number): { readonly density: number; readonly above: number } {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z));
  const series = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_53];
  const tail = density * series.reduce((sum, factor) => sum * t + factor, 0) * t;
  return { density, above: z < 0 ? 1 - tail : tail };
}

/** Returns the mean of min(N, limit) for a Poisson count N: the number of pieces given if the demand has this mean. */
export function meanGiven(mean: number, limit: number): number {
  const spread = Math.sqrt(mean);
  if (mean <= 0 || Math.abs(limit - mean) > 12 * spread + 30) {
    return Math.max(0, Math.min(mean, limit));
  }
  if (mean > MANY) {
    const { density, above } = normalAt((limit - mean) / spread);
    return mean + (limit - mean) * above - spread * density;
  }
  let log = -mean;
  let last = 0;
  let below = 0;
  for (let k = 0; k < limit; k += 1) {
    last = Math.exp(log);
    below += last;
    log += Math.log(mean / (k + 1));
  }
  return mean * (below - last) + limit * (1 - below);
}

function isDrawable(prize: PricedPrize): boolean {
  return prize.left > 0 && (prize.weight > 0 || prize.floors);
}

/**
 * Returns how many pieces of each prize the first `tickets` give on average. A ticket gives its own prize
 * while in stock, otherwise the heaviest guaranteed prize in stock. If those are gone too, the ticket is
 * drawn again, which costs no draw.
 */
function givenBy(tickets: number, total: number, prizes: readonly PricedPrize[]): number[] {
  const given = prizes.map(({ weight, left }) =>
    total === 0 ? 0 : meanGiven((tickets * weight) / total, left),
  );
  const guaranteed = [...prizes.entries()]
    .filter(([, { floors }]) => floors)
    .toSorted(([, one], [, other]) => other.weight - one.weight);
  let own = sumOf(guaranteed.map(([at]) => given[at] ?? 0));
  const asked = tickets - (sumOf(given) - own);
  let [stock, before] = [0, 0];
  // The heaviest guaranteed prizes together serve all demand, except what the other guaranteed prizes give to
  // their own tickets.
  for (const [at, { left }] of guaranteed) {
    own -= given[at] ?? 0;
    stock += left;
    const together = meanGiven(asked - own, stock);
    given[at] = together - before;
    before = together;
  }
  return given;
}

/**
 * Returns the expected cost in cents of the next `draws`, in which stock may run out. The error is about 0.3 %, and up to
 * half a piece of a guaranteed prize whose last pieces replace another prize that runs out.
 */
export function expectedCostOf(draws: number, all: readonly PricedPrize[]): number {
  const prizes = all.filter(isDrawable);
  const heavy = prizes.some((prize) => prize.floors) ? all : prizes;
  const total = sumOf(heavy.map((prize) => prize.weight));
  let given = prizes.map((prize) => prize.left);
  if (sumOf(given) > draws) {
    let [low, high] = [0, draws];
    while (sumOf(givenBy(high, total, prizes)) < draws * (1 - 1e-9)) {
      [low, high] = [high, 2 * high];
    }
    while (high - low > 1e-9 * high) {
      const middle = (low + high) / 2;
      const isEnough = sumOf(givenBy(middle, total, prizes)) >= draws;
      [low, high] = isEnough ? [low, middle] : [middle, high];
    }
    given = givenBy(high, total, prizes);
  }
  return sumOf(prizes.map((prize, at) => prize.award_price_cents * (given[at] ?? 0)));
}
