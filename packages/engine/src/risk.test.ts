import { describe, expect, test } from "vitest";
import { expectedCostOf } from "./expected-cost.ts";
import type { PricedPrize } from "./odds.ts";
import { riskOfChange, riskOfDraws } from "./risk.ts";
import type { Allowance, CountingRound, Standing } from "./risk.ts";

function prize(id: number, weight: number, left: number, yuan = 0, floors = false): PricedPrize {
  return { id, weight, left, floors, award_price_cents: yuan * 100 };
}

const PLENTY = 1_000_000;
const THANKS = prize(1, 99_900, PLENTY);
const DEAR = prize(2, 100, 500, 888);
const DAY = "2026-11-30";

const round = (id: number, pool_id: number, more: Partial<CountingRound> = {}): CountingRound => ({
  id,
  pool_id,
  start_date: DAY,
  seconds_left: 3_600,
  peak: 0,
  held: 0,
  grown: 0,
  is_made: false,
  ...more,
});
/** Pools by id, and rounds on them. */
const standing = (
  pools: Readonly<Record<number, readonly PricedPrize[]>>,
  ...rounds: CountingRound[]
): Standing => ({
  rounds,
  pools: Object.entries(pools).map(([id, prizes]) => {
    return { id: Number(id), pool_name: `pool ${id}`, prizes, draws_hour: 0 };
  }),
});
const allowance = (usual = 0, other = 0): Allowance => ({ usual, others: new Map([[DAY, other]]) });
const valued = (before: Standing, after: Standing, allowed = allowance()) => {
  const { cents, code_cents } = riskOfChange(before, after, allowed);
  return [cents, code_cents];
};
const both = (cents: number) => [cents, cents];

describe("a change of prizes", () => {
  const of = (
    was: readonly PricedPrize[],
    will: readonly PricedPrize[],
    ...rounds: CountingRound[]
  ) => valued(standing({ 1: was }, ...rounds), standing({ 1: will }, ...rounds));

  test("costs the growth of the worth of all pieces left, which no other prize offsets", () => {
    const one = round(1, 1);
    expect(of([THANKS, DEAR], [THANKS, prize(2, 100, 600, 888)], one)).toEqual(both(8_880_000));
    expect(of([THANKS, DEAR], [THANKS, DEAR, prize(3, 0, 9, 5)], one)).toEqual(both(4_500));
    const decoy = prize(3, 0, 1_000, 444);
    expect(of([THANKS, DEAR, decoy], [THANKS, prize(2, 100, 1_000, 888)], one)).toEqual(
      both(44_400_000),
    );
    expect(of([THANKS, DEAR], [THANKS, DEAR], one)).toEqual(both(0));
    expect(
      of([DEAR], [{ ...prize(2, 1, PLENTY), award_price_cents: 999_999_999_999 }], one),
    ).toEqual(both(Number.MAX_SAFE_INTEGER));
  });

  test.each([
    ["1,000 draws at least", [round(1, 1)], 1_000],
    ["1,000 of each round", [round(1, 1), round(2, 1)], 2_000],
    ["its highest pace until its end", [round(1, 1, { peak: 700, seconds_left: 1_200 })], 1_400],
    ["what its players hold", [round(1, 1, { held: 1_300 })], 1_300],
    ["a part of a draw up", [round(1, 1, { peak: 700, seconds_left: 1_201 })], 1_402],
    ["nothing once its time is over", [round(1, 1, { peak: 9_000, seconds_left: 0 })], 1_000],
  ])("costs what the draws ahead cost more: %s", (_, rounds, draws) => {
    const [was, will] = [
      [THANKS, DEAR],
      [THANKS, { ...DEAR, weight: 200 }],
    ];
    const grown = expectedCostOf(draws, will) - expectedCostOf(draws, was);
    expect(of(was, will, ...rounds)).toEqual(both(Math.round(grown)));
  });

  test("costs nothing while no round counts on the pool", () => {
    expect(of([THANKS], [THANKS, DEAR])).toEqual(both(0));
  });
});

describe("a change of rounds", () => {
  const CHEAP = [prize(1, 1, PLENTY, 1)];
  const RICH = [prize(1, 1, PLENTY, 2)];

  test("a longer end costs the draws that come with it", () => {
    const [was, will] = [{ peak: 600 }, { peak: 600, seconds_left: 7_200 }];
    const pools = { 1: CHEAP };
    expect(valued(standing(pools, round(1, 1, was)), standing(pools, round(1, 1, will)))).toEqual(
      both(360_000),
    );
    expect(valued(standing(pools, round(1, 1, will)), standing(pools, round(1, 1, was)))).toEqual(
      both(0),
    );
  });

  test("one that opens again costs its draws, which did not count before", () => {
    expect(valued(standing({ 1: CHEAP }), standing({ 1: CHEAP }, round(1, 1)))[1]).toBe(100_000);
  });

  test("one that moves takes its draws along", () => {
    const pools = { 1: CHEAP, 2: RICH };
    const other = round(2, 2);
    const [before, after] = [
      standing(pools, round(1, 1), other),
      standing(pools, round(1, 2), other),
    ];
    expect(valued(before, after)).toEqual(both(100_000));
    expect(valued(after, before, allowance(300_000_000))).toEqual(both(0));
    // A pool that no round used before gives the same risk for the code, because its worth counts separately.
    const [, code] = valued(
      standing({ 1: CHEAP, 2: RICH }, round(1, 1)),
      standing(pools, round(1, 2)),
    );
    expect(code).toBe(100_000);
  });

  test("a rule that grants more costs those draws, at most what the pool is worth", () => {
    const pools = { 1: [prize(1, 1, 3_000, 1)] };
    const before = standing(pools, round(1, 1));
    expect(valued(before, standing(pools, round(1, 1, { grown: 2_000 })))).toEqual(both(200_000));
    expect(valued(before, standing(pools, round(1, 1, { grown: 9_000 })))).toEqual(both(300_000));
    const made = round(1, 1, { grown: 9_000, is_made: true });
    expect(valued(standing(pools), standing(pools, made))[1]).toBe(0);
  });

  test("one more on a pool in use draws from it too", () => {
    const pools = { 1: CHEAP };
    const one = round(1, 1);
    expect(valued(standing(pools, one), standing(pools, one, round(2, 1)))).toEqual(both(100_000));
  });
});

describe("a pool that enters counts beyond a usual day, and not for the code", () => {
  const pools = { 1: [prize(1, 1, 100, 9)], 2: [prize(2, 1, 100, 5)] };
  const none = standing(pools);
  const MADE = { is_made: true };
  const entered = standing(pools, round(1, 1, MADE), round(2, 2, MADE));

  test.each([
    ["a first installation has none", allowance(), 140_000],
    ["beyond", allowance(50_000), 90_000],
    ["within", allowance(140_000), 0],
    ["with what the day has already", allowance(140_000, 30_000), 30_000],
    ["a day that was beyond before", allowance(100_000, 120_000), 140_000],
  ])("%s", (_, allowed, cents) => {
    expect(valued(none, entered, allowed)).toEqual([cents, 0]);
  });

  test("each day has its own, and a round that is moved to a day counts there", () => {
    const later = round(2, 2, { start_date: "2026-12-01", ...MADE });
    const apart = standing(pools, round(1, 1, MADE), later);
    expect(valued(none, apart, allowance(90_000))).toEqual([0, 0]);
    expect(valued(apart, entered, allowance(90_000))).toEqual([50_000, 0]);
    expect(valued(entered, apart, allowance(90_000))).toEqual([0, 0]);
  });

  test("a pool of two days counts on the first", () => {
    const other = round(2, 1, { start_date: "2026-12-01", ...MADE });
    const twice = standing(pools, round(1, 1, MADE), other);
    expect(valued(none, twice, allowance(90_000))).toEqual([0, 0]);
  });
});

test("says of each pool what a draw costs before and after", () => {
  const pools = { 1: [prize(1, 1, 9, 1)], 2: [prize(2, 1, 9, 2)] };
  const moved = riskOfChange(
    standing(pools, round(1, 1)),
    standing(pools, round(1, 2)),
    allowance(),
  );
  expect(moved.pools).toEqual([
    { pool_name: "pool 2", draws_hour: 0, cost_before: 100, cost_after: 200 },
  ]);
  const made = riskOfChange(
    standing(pools),
    standing(pools, round(1, 1, { is_made: true })),
    allowance(),
  );
  expect(made.pools).toEqual([]);
});

test("extra draws cost those of the dearest pool, and parts of a cent add up", () => {
  expect(riskOfDraws(9, []).cents).toBe(0);
  const pools = [[prize(1, 999, 9), prize(2, 1, 9, 9_000)], [prize(3, 1, 9, 10)]];
  expect(riskOfDraws(1, pools).cents).toBe(1_000);
  // Each draw costs a tenth of a cent.
  expect(riskOfDraws(10_000, [[prize(1, 1, PLENTY, 0.01), prize(2, 9, PLENTY)]]).cents).toBe(1_000);
});
