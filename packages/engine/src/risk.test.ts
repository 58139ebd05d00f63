import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PricedPrize } from "./odds.ts";
import { expectedCostOf, risk } from "./risk.ts";
import type { LivePool } from "./risk.ts";

function prize(id: number, weight: number, left: number, yuan = 0, floors = false): PricedPrize {
  return { id, weight, left, floors, award_price_cents: yuan * 100 };
}

const live = (...prizes: PricedPrize[]): LivePool => ({ rounds: 1, prizes });

/** Each prize's chance at this stock, by the rules of behaviour §5 and no code of the engine. */
function chances(prizes: readonly PricedPrize[], left: readonly number[]): number[] {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  const has = (at: number) => (left[at] ?? 0) > 0;
  const guaranteed = prizes
    .map((one, at) => ({ ...one, at }))
    .filter(({ floors, at }) => floors && has(at))
    .toSorted((a, b) => b.weight - a.weight)[0]?.at;
  const own = prizes.map(({ weight }, at) => (has(at) && total > 0 ? weight / total : 0));
  const sum = own.reduce((all, one) => all + one, 0);
  return own.map((share, at) => {
    if (guaranteed === undefined) {
      return sum === 0 ? 0 : share / sum;
    }
    return at === guaranteed ? share + 1 - sum : share;
  });
}

/** Brute force: the probability of every stock after every single draw. Stock above the draws is not counted. */
function slowCost(draws: number, prizes: readonly PricedPrize[]): number {
  const sizes = prizes.map(({ left }) => (left > draws ? 1 : left + 1));
  const states = sizes.reduce((all, size) => all * size, 1);
  const steps = Array.from({ length: states }, (_, state) => {
    let code = state;
    let place = 1;
    const left = prizes.map((one, at) => {
      const size = sizes[at] ?? 1;
      const digit = code % size;
      code = Math.floor(code / size);
      return one.left > draws ? one.left : digit;
    });
    return chances(prizes, left).map((chance, at) => {
      const size = sizes[at] ?? 1;
      const to = size === 1 ? state : state - place;
      place *= size;
      return { to, chance };
    });
  });
  let now = new Float64Array(states);
  now[states - 1] = 1;
  let cost = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const then = new Float64Array(states);
    for (let state = 0; state < states; state += 1) {
      const held = now[state] ?? 0;
      if (held > 0) {
        for (const [at, { to, chance }] of (steps[state] ?? []).entries()) {
          if (chance > 0) {
            cost += held * chance * (prizes[at]?.award_price_cents ?? 0);
            then[to] = (then[to] ?? 0) + held * chance;
          }
        }
      }
    }
    now = then;
  }
  return cost;
}

const PLENTY = 1_000_000;

describe("the expected cost of the next draws equals brute force", () => {
  test.each([
    ["nothing", []],
    ["sold out", [prize(1, 5, 0, 8)]],
    ["no weight, nothing guaranteed", [prize(1, 0, 9, 8)]],
    ["no weight, guaranteed", [prize(1, 0, PLENTY, 8, true)]],
    ["plenty of all", [prize(1, 9, PLENTY, 1), prize(2, 1, PLENTY, 88)]],
    ["less stock than draws", [prize(1, 9, 40, 1), prize(2, 1, 50, 88)]],
    ["one of a kind", [prize(1, 999, PLENTY, 1), prize(2, 1, 1, 100_000)]],
    ["runs out about then", [prize(1, 1, PLENTY, 1), prize(2, 1, 500, 88)]],
    ["a weight that went", [prize(1, 9, PLENTY, 1), prize(2, 991, 0, 5), prize(3, 1, 90, 88)]],
    ["guaranteed runs out", [prize(1, 1, 300, 1, true), prize(2, 3, PLENTY, 9)]],
    ["guaranteed helps out", [prize(1, 1, PLENTY, 1, true), prize(2, 9, 300, 9)]],
    [
      "guaranteed follow each other",
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

function largest(prizes: readonly PricedPrize[]): number {
  return prizes
    .filter(({ weight, floors }) => weight > 0 || floors)
    .reduce((sum, { award_price_cents, left }) => sum + award_price_cents * left, 0);
}

test("the risk of 1,000 random changes equals brute force, with one or two rounds on the pool", () => {
  let shared = 0;
  fc.assert(
    fc.property(pools, pools, fc.constantFrom(1, 2), (old, next, rounds) => {
      shared += rounds - 1;
      const [was, will] = [slowCost(1_000 * rounds, old), slowCost(1_000 * rounds, next)];
      const wanted = Math.max(0, largest(next) - largest(old), will - was);
      const got = risk({ before: [{ rounds, prizes: old }], after: [{ rounds, prizes: next }] });
      expect(Math.abs(got.risk_cents - wanted)).toBeLessThanOrEqual(0.001 * Math.max(was, will) + 1);
    }),
    { numRuns: 1_000 },
  );
  expect(shared).toBeGreaterThan(400);
});

describe("the risk of a change", () => {
  const thanks = prize(1, 99_900, PLENTY, 1);
  const slip = { before: [live(thanks, prize(2, 100, 500, 888))], after: [] };
  const of = (after: LivePool[], before: LivePool[] = slip.before) => risk({ before, after });

  test("a weight 100 → 100000 costs what the next 1,000 draws cost more", () => {
    const found = of([live(thanks, prize(2, 100_000, 500, 888))]);
    expect(found).toMatchObject({ cost_before_cents: 189, cost_after_cents: 44_472 });
    expect(found.risk_cents).toBeGreaterThan(43_000_000);
  });

  test("no growth is no risk, and a pool without running rounds has none", () => {
    expect(of([live(thanks, prize(2, 50, 500, 888))]).risk_cents).toBe(0);
    const idle = [{ rounds: 0, prizes: [prize(1, 1, PLENTY, 9_999)] }];
    expect(of(idle, [])).toEqual({ risk_cents: 0, cost_before_cents: 0, cost_after_cents: 0 });
  });

  test("stock that cannot be drawn counts from when it can; what has no price never does", () => {
    const odd = (weight: number, floors = false) => [live(thanks, prize(2, weight, 50, 1, floors))];
    expect(of(odd(0, true), odd(0)).risk_cents).toBe(5_000);
    const goods = (weight: number) => [live(prize(1, 1, 9, 0), prize(2, weight, 9, 0))];
    expect(of(goods(9), goods(1)).risk_cents).toBe(0);
  });

  test("a round that moves takes its draws along", () => {
    const rich = [prize(1, 1, PLENTY, 2)];
    const move = risk({
      before: [live(thanks), { rounds: 1, prizes: rich }],
      after: [
        { rounds: 0, prizes: [thanks] },
        { rounds: 2, prizes: rich },
      ],
    });
    expect(move).toEqual({ risk_cents: 100_000, cost_before_cents: 150, cost_after_cents: 200 });
  });

  test("more money than a number holds is the largest one", () => {
    const most = { ...prize(1, 1, 1_000_000_000), award_price_cents: 999_999_999_999 };
    expect(of([live(most)], [live()]).risk_cents).toBe(Number.MAX_SAFE_INTEGER);
  });
});
