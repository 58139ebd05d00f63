import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oddsOf } from "./odds.ts";
import type { PricedPrize } from "./odds.ts";
import { expectedCostOf, meanGiven } from "./expected-cost.ts";

function prize(id: number, weight: number, left: number, yuan = 0, floors = false): PricedPrize {
  return { id, weight, left, floors, award_price_cents: yuan * 100 };
}

const PLENTY = 1_000_000;

/** Brute force: computes the probability of every stock after every single draw, from the odds of the next draw. */
function slowCost(draws: number, prizes: readonly PricedPrize[]): number {
  const sizes = prizes.map(({ left }) => (left === PLENTY ? 1 : left + 1));
  const places = sizes.map((_, at) => sizes.slice(0, at).reduce((all, size) => all * size, 1));
  const states = sizes.reduce((all, size) => all * size, 1);
  const steps = Array.from({ length: states }, (_, state) => {
    const left = places.map((place, at) => Math.floor(state / place) % (sizes[at] ?? 1));
    const now = prizes.map((one, at) => (sizes[at] === 1 ? one : { ...one, left: left[at] ?? 0 }));
    return oddsOf(now)
      .map(({ effective }, at) => ({
        at,
        effective,
        to: state - (sizes[at] === 1 ? 0 : (places[at] ?? 0)),
      }))
      .filter(({ effective }) => effective > 0);
  });
  let now = new Float64Array(states).fill(1, -1);
  let sum = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const then = new Float64Array(states);
    for (const [state, held] of now.entries()) {
      for (const { at, effective, to } of steps[state] ?? []) {
        sum += held * effective * (prizes[at]?.award_price_cents ?? 0);
        then[to] = (then[to] ?? 0) + held * effective;
      }
    }
    now = then;
  }
  return sum;
}

describe("the expected cost of the next draws equals brute force", () => {
  test.each([
    ["all weights 0", [prize(1, 0, PLENTY, 8, true), prize(2, 0, 9, 8)]],
    ["one of a kind", [prize(1, 999, PLENTY, 1), prize(2, 1, 1, 100_000)]],
    ["it runs out about then", [prize(1, 1, PLENTY, 1), prize(2, 1, 500, 88)]],
    ["a weight that is gone", [prize(1, 9, PLENTY, 1), prize(2, 991, 0, 5), prize(3, 1, 90, 88)]],
    ["guaranteed runs out", [prize(1, 1, 300, 1, true), prize(2, 3, PLENTY, 9)]],
    ["one left", [prize(1, 0, PLENTY, 0, true), prize(2, 1, 1, 9, true), prize(3, 999, PLENTY)]],
    ["guaranteed helps out", [prize(1, 1, PLENTY, 1, true), prize(2, 9, 300, 9)]],
    [
      "two guaranteed",
      [prize(1, 3, 200, 2, true), prize(2, 8, 0, 1), prize(3, 1, PLENTY, 7, true)],
    ],
  ])("%s", (_, prizes) => {
    const slow = slowCost(1_000, prizes);
    expect(Math.abs(expectedCostOf(1_000, prizes) - slow)).toBeLessThanOrEqual(0.003 * slow + 1);
  });
});

const pools = fc
  .array(
    fc.record({
      weight: fc.oneof(fc.nat({ max: 9 }), fc.nat({ max: 5_000 })),
      left: fc.oneof(fc.nat({ max: 4 }), fc.constant(PLENTY)),
      floors: fc.boolean(),
      award_price_cents: fc.nat({ max: 9_999_900 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((rows) => rows.map((row, at): PricedPrize => ({ id: at + 1, ...row })));

/**
 * Further tolerance in cents. The demand that a prize of few pieces passes on to a guaranteed prize of few pieces counts as
 * Poisson, which misses up to 0.2 pieces of the guaranteed prize.
 */
function passedOn(prizes: readonly PricedPrize[]): number {
  const few = prizes.filter(({ left }) => left > 0 && left < PLENTY);
  const guaranteed = few.filter(({ floors }) => floors).map((one) => one.award_price_cents);
  return few.length < 2 ? 0 : 0.2 * Math.max(0, ...guaranteed);
}

test("of 1,000 random pools the next 1,000 or 2,000 draws cost what brute force says", () => {
  fc.assert(
    fc.property(pools, fc.constantFrom(1_000, 2_000), (prizes, draws) => {
      const slow = slowCost(draws, prizes);
      const tolerance = 0.003 * slow + 1 + passedOn(prizes);
      expect(Math.abs(expectedCostOf(draws, prizes) - slow)).toBeLessThanOrEqual(tolerance);
    }),
    {
      numRuns: 1_000,
      examples: [
        [
          [
            { id: 1, weight: 1, left: 1, floors: false, award_price_cents: 0 },
            { id: 2, weight: 0, left: 1, floors: true, award_price_cents: 100_000 },
            { id: 3, weight: 757, left: PLENTY, floors: false, award_price_cents: 0 },
          ],
          2_000,
        ],
      ],
    },
  );
});

/** Brute force for `meanGiven`: adds up all terms of the distribution. */
function slowGiven(mean: number, limit: number): number {
  let [log, sum] = [-mean, 0];
  for (let k = 0; k < mean + 40 * Math.sqrt(mean) + 40; k += 1) {
    sum += Math.min(k, limit) * Math.exp(log);
    log += Math.log(mean / (k + 1));
  }
  return sum;
}

test("the mean number of pieces given is exact to 0.06 pieces", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: -400, max: 400 }),
      (mean, off) => {
        const limit = Math.max(0, mean + off);
        expect(Math.abs(meanGiven(mean, limit) - slowGiven(mean, limit))).toBeLessThan(0.06);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("nine million draws of a pool of a thousand prizes are valued", () => {
  const prizes = Array.from({ length: 1_000 }, (_, at) => prize(at + 1, 1 + at, 10_000, 1));
  expect(expectedCostOf(9_000_000, prizes)).toBeGreaterThan(8e8);
});
