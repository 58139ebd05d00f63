/** What a change may cost (behaviour §3, §16). */
import { expectedCostCents } from "./odds.ts";
import type { PricedPrize } from "./odds.ts";

declare const VALUED: unique symbol;

/** What a change may cost in one pool; money is whole cents. */
export interface PoolRisk {
  readonly pool_name: string;
  /** Mean cost of a draw. */
  readonly cost_before: number;
  readonly cost_after: number;
  /** Draws an hour of its running rounds, or of the round that moves to it. */
  readonly draws_hour: number;
}

/** What a change may cost, valued by the functions of this file. */
export interface Risk {
  readonly [VALUED]: true;
  /** Whole cents, from 0 to the largest safe integer. */
  readonly cents: number;
  /** What of it the code's sum counts: a pool that enters stands in the form. */
  readonly code_cents: number;
  readonly pools: readonly PoolRisk[];
  /** A code is wanted from a sum on, or always. */
  readonly code: "by_sum" | "always";
  /** A reason and a second person are wanted from a sum on, always while either is on, or never. */
  readonly others: "by_sum" | "always" | "never";
}

function risked(cents: number, of: Partial<Omit<Risk, typeof VALUED | "cents">> = {}): Risk {
  const safe = Math.min(cents, Number.MAX_SAFE_INTEGER);
  const whole = { cents: safe, code_cents: safe, pools: [] } as const;
  const risk = { ...whole, code: "by_sum", others: "by_sum", ...of } as const;
  // The mark is of the type alone.
  return risk as typeof risk & Pick<Risk, typeof VALUED>;
}

/** Of a change that costs nothing; `_why` is for the reader, and for the test that lists them. */
export function noRisk(_why: string): Risk {
  return risked(0);
}

/** Of a change that never waits for others, such as a stop. */
export function neverHeld(_why: string): Risk {
  return risked(0, { others: "never" });
}

/** Of a change that others must see whatever it costs, such as giving somebody access. */
export function aboveAnySum(_why: string): Risk {
  return risked(0, { others: "always" });
}

/** The same, with a code whatever it costs. */
export function withCode(risk: Risk): Risk {
  return { ...risk, code: "always" };
}

/** Of payouts that are sent; whole cents. */
export function riskOfPayouts(cents: number): Risk {
  return risked(cents);
}

/** Of extra draws from pools whose dearest mean draw costs so many cents. */
export function riskOfDraws(count: number, dearest: number): Risk {
  return risked(count * dearest);
}

/** Of changes of several pools at once. */
export function together(risks: readonly Risk[]): Risk {
  const cents = sumOf(risks.map((risk) => risk.cents));
  return risked(cents, { pools: risks.flatMap(({ pools }) => pools) });
}

/** Of a change of pools that rounds draw from; the costs shown are those of `was` and `will`. */
export function riskOfPools(
  change: PoolChange,
  { pool_name, draws_hour }: Pick<PoolRisk, "pool_name" | "draws_hour">,
  was: readonly PricedPrize[],
  will: readonly PricedPrize[],
): Risk {
  const costs = { cost_before: expectedCostCents(was), cost_after: expectedCostCents(will) };
  return risked(growthOf(change), { pools: [{ pool_name, draws_hour, ...costs }] });
}

/** Draws of each running round that are looked ahead. */
const DRAWS_AHEAD = 1_000;

/** A pool with its number of running rounds, which share its stock; prizes in id order. */
export interface LivePool {
  readonly rounds: number;
  readonly prizes: readonly PricedPrize[];
}

/** The pools that a change touches. */
export interface PoolChange {
  readonly before: readonly LivePool[];
  readonly after: readonly LivePool[];
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The mean of min(N, limit) for a Poisson count N: the pieces given when `mean` are asked for. */
function meanGiven(mean: number, limit: number): number {
  const far = 12 * Math.sqrt(mean) + 30;
  if (mean <= 0 || Math.abs(limit - mean) > far) {
    return Math.max(0, Math.min(mean, limit));
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
 * Mean pieces of each prize given by the first `tickets`. A ticket gives its own prize while that has stock, then the
 * heaviest guaranteed one; when those are gone too it is drawn again, which costs no draw.
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
  // What the heaviest ones give together: all that is asked, but for what the others give to their own tickets.
  for (const [at, { left }] of guaranteed) {
    own -= given[at] ?? 0;
    stock += left;
    const together = meanGiven(asked - own, stock);
    given[at] = together - before;
    before = together;
  }
  return given;
}

/** Expected cost in cents of the next `draws`, in which stock may run out; exact to about 0.3 %. */
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

/** Largest remaining cost and expected cost of the next draws, over running rounds. */
function costsOf(pools: readonly LivePool[]) {
  const live = pools.filter(({ rounds }) => rounds > 0);
  const largest = live
    .flatMap(({ prizes }) => prizes.filter(isDrawable))
    .reduce((sum, prize) => sum + BigInt(prize.award_price_cents) * BigInt(prize.left), 0n);
  const ahead = live.map(({ rounds, prizes }) => expectedCostOf(DRAWS_AHEAD * rounds, prizes));
  return { largest, next: sumOf(ahead) };
}

/**
 * In cents, the larger of two growths: of the cost of every piece left that can be drawn, and of the expected cost of
 * the next 1,000 draws of each running round; from 0 to the largest safe integer.
 */
export function growthOf({ before, after }: PoolChange): number {
  const [was, will] = [costsOf(before), costsOf(after)];
  const grown = Math.max(0, Number(will.largest - was.largest), Math.round(will.next - was.next));
  return Math.min(grown, Number.MAX_SAFE_INTEGER);
}
