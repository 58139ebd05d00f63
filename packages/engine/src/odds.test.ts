import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pickPrize, weightTable } from "./draw.ts";
import {
  costJump,
  expectedCostCents,
  largestCostCents,
  oddsOf,
  probabilityTexts,
  stockLevel,
  stockWord,
} from "./odds.ts";
import type { PricedPrize } from "./odds.ts";

function prize(id: number, weight: number, left: number, award_price_cents = 0, floors = false) {
  return { id, weight, left, floors, award_price_cents };
}

const pools = fc
  .array(
    fc.record({
      weight: fc.nat({ max: 6 }),
      left: fc.nat({ max: 2 }),
      floors: fc.boolean(),
      award_price_cents: fc.nat({ max: 99_999 }),
    }),
    { maxLength: 5 },
  )
  .map((rows) => rows.map((row, at): PricedPrize => ({ id: at + 1, ...row })));

/** Computes the odds by trying every combination of first and second ticket: `ways` out of `whole`. */
function enumerate(prizes: readonly PricedPrize[]) {
  const table = weightTable(prizes);
  const rest = prizes.reduce((sum, { weight, left }) => sum + (left > 0 ? weight : 0), 0);
  const seconds = Math.max(rest, 1);
  const ways = new Map<number, number>();
  let whole = 0;
  for (let first = 0; first < Math.max(table.total, 1); first += 1) {
    for (let second = 0; second < seconds; second += 1) {
      let calls = 0;
      const drawn = pickPrize(table, () => {
        calls += 1;
        return calls === 1 ? first : second;
      });
      if (drawn !== null) {
        whole += 1;
        ways.set(drawn.prize_id, (ways.get(drawn.prize_id) ?? 0) + 1);
      }
    }
  }
  return { ways, whole };
}

describe("odds", () => {
  test("with full stock are the configured ones", () => {
    expect(oddsOf([prize(1, 1, 5), prize(2, 3, 5), prize(3, 0, 5)])).toEqual([
      { id: 1, configured: 0.25, effective: 0.25 },
      { id: 2, configured: 0.75, effective: 0.75 },
      { id: 3, configured: 0, effective: 0 },
    ]);
  });

  test("with weights that are all 0 belong to the guaranteed prize", () => {
    expect(oddsOf([prize(1, 0, 5), prize(2, 0, 5, 0, true)])).toEqual([
      { id: 1, configured: 0, effective: 0 },
      { id: 2, configured: 0, effective: 1 },
    ]);
  });

  test("equal the results of drawing with every pair of tickets", () => {
    fc.assert(
      fc.property(pools, (prizes) => {
        const { ways, whole } = enumerate(prizes);
        for (const { id, effective } of oddsOf(prizes)) {
          expect(effective).toBeCloseTo(whole === 0 ? 0 : (ways.get(id) ?? 0) / whole, 12);
        }
      }),
    );
  });
});

describe("expected cost of the next draw", () => {
  test.each<[string, PricedPrize[], number]>([
    ["is the weighted price", [prize(1, 1, 9, 1000), prize(2, 3, 9, 200)], 400],
    ["rounds down below half a cent", [prize(1, 1, 9, 1), prize(2, 2, 9, 0)], 0],
    ["rounds half a cent up", [prize(1, 1, 9, 1), prize(2, 1, 9, 0)], 1],
    ["rounds up above half a cent", [prize(1, 2, 9, 1), prize(2, 1, 9, 0)], 1],
    ["leaves out what is gone", [prize(1, 1, 0, 1000), prize(2, 3, 9, 200)], 200],
    ["counts the stand-in", [prize(1, 1, 0, 9999), prize(2, 1, 9, 400, true)], 400],
    ["is 0 for physical prizes", [prize(1, 1, 9, 0)], 0],
    ["is 0 when sold out", [prize(1, 1, 0, 1000)], 0],
    ["is 0 for an empty pool", [], 0],
  ])("%s", (_name, prizes, expected) => {
    expect(expectedCostCents(prizes)).toBe(expected);
  });

  test("is exact where price times weight exceeds the safe integers", () => {
    // The exact cost is 500,000,000,499.5 minus 1 / 2·10^9 of a cent. A double rounds this to exactly .5.
    const price = 999_999_999_999;
    const prizes = [
      prize(1, 1_000_000_000, 9, price),
      prize(2, 1, 9, price),
      prize(3, 999_999_999, 9, 0),
    ];
    expect(expectedCostCents(prizes)).toBe(500_000_000_499);
    const odds = oddsOf(prizes);
    const byDoubles = prizes.reduce(
      (sum, each, at) => sum + each.award_price_cents * (odds[at]?.effective ?? 0),
      0,
    );
    expect(Math.round(byDoubles)).toBe(500_000_000_500);
  });
});

describe("largest cost", () => {
  test("is the price of all remaining stock", () => {
    expect(largestCostCents([prize(1, 1, 3, 888), prize(2, 9, 0, 5000), prize(3, 0, 2, 1)])).toBe(
      2666,
    );
    expect(largestCostCents([])).toBe(0);
  });

  test("is exact up to the largest safe integer and null beyond", () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(largestCostCents([prize(1, 1, 1, most - 2), prize(2, 1, 1, 2)])).toBe(most);
    expect(largestCostCents([prize(1, 1, 1, most), prize(2, 1, 1, 1)])).toBeNull();
    expect(largestCostCents([prize(1, 1, 1_000_000_000, 999_999_999_999)])).toBeNull();
  });
});

describe("a cost jumps", () => {
  test.each([
    ["from twice on", 433, 866, 2],
    ["a hundredfold by a missing point", 433, 46_918, 108.3],
    ["not a cent below twice", 433, 865, null],
    ["not when it falls", 866, 433, null],
    ["not from nothing", 0, 46_918, null],
  ])("%s", (_, before, after, expected) => {
    expect(costJump(before, after)).toBe(expected);
  });
});

describe("the stock of a pool is", () => {
  const piece = (weight: number, left: number, award_total: number, floors = false) => ({
    ...prize(0, weight, left, 0, floors),
    award_total,
  });
  test.each([
    ["empty without prizes", [], "empty"],
    ["empty when all are gone", [piece(1, 0, 10), piece(1, 0, 5, true)], "empty"],
    ["empty when what is left has no weight", [piece(1, 0, 10), piece(0, 5, 5)], "empty"],
    ["not empty when a guaranteed prize without weight is left", [piece(0, 5, 5, true)], "fine"],
    ["fine when full", [piece(1, 10, 10), piece(9, 90, 90)], "fine"],
    ["fine with a tenth left", [piece(1, 10, 100)], "fine"],
    ["low with less", [piece(1, 9, 100)], "low"],
    ["low over all prizes together", [piece(1, 0, 100), piece(1, 9, 9)], "low"],
  ] as const)("%s", (_, prizes, expected) => {
    expect(stockLevel(prizes.map((each, at) => ({ ...each, id: at + 1 })))).toBe(expected);
  });
});

describe("probabilities as texts", () => {
  const units = (text: string) => {
    const [whole = "", fraction = ""] = text.split(".");
    return BigInt(whole + fraction.padEnd(15, "0"));
  };

  test("are the effective ones, and add up to exactly 1 unless sold out", () => {
    fc.assert(
      fc.property(pools, fc.constantFrom(1, 7, 1_000_000_000), (small, factor) => {
        const prizes = small.map((one) => ({ ...one, weight: one.weight * factor }));
        const texts = probabilityTexts(prizes);
        const odds = oddsOf(prizes);
        const sum = texts.reduce((all, one) => all + units(one), 0n);
        expect(sum).toBe(odds.some(({ effective }) => effective > 0) ? 10n ** 15n : 0n);
        texts.forEach((text, at) => {
          const exact = odds[at]?.effective ?? -1;
          expect(text).toMatch(/^(?:0|1|0\.\d{0,14}[1-9])$/);
          expect(Math.abs(Number(text) - exact)).toBeLessThan(1.1e-15);
          expect(text === "0").toBe(exact === 0);
        });
      }),
    );
  });

  test("the smallest that a pool can have is not 0", () => {
    const heavy = prize(2, WEIGHT_SUM_MAX - 1, 1);
    expect(probabilityTexts([prize(1, 1, 1), heavy])[0]).toMatch(/^0\.0{14}[34]$/);
    expect(probabilityTexts([])).toEqual([]);
  });
});

test.each([
  [0, 1_000, "none"],
  [1, 1, "few"],
  [10, 10, "few"],
  [11, 110, "plenty"],
  [11, 111, "few"],
  [110, 1_100, "plenty"],
] as const)("%i of %i pieces are %s", (left, total, word) => {
  expect(stockWord(left, total)).toBe(word);
});
