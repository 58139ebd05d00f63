import { parseCents } from "@red/contract/money";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ceilingOf,
  chancesOf,
  earnedDraws,
  factsOf,
  nextChance,
  NO_FACTS,
  plusFacts,
} from "./chances.ts";
import type { RoundRule } from "./chances.ts";

type Kind = "cumulative_full" | "cumulative_reach" | "single_full" | "single_reach";

const CODES = {
  cumulative_full: { condition_formula: "1", condition_type: "2" },
  cumulative_reach: { condition_formula: "1", condition_type: "1" },
  single_full: { condition_formula: "3", condition_type: "2" },
  single_reach: { condition_formula: "3", condition_type: "1" },
} as const satisfies Record<Kind, object>;

function ruleOf(kind: Kind, value: string, times = 1, name: "1" | "2" = "2"): RoundRule {
  return {
    condition_name: name,
    ...CODES[kind],
    condition_value_cents: cents(value),
    condition_times: times,
  };
}

function openRule(name: "0" | "3", times: number): RoundRule {
  return {
    condition_name: name,
    condition_formula: "0",
    condition_type: "0",
    condition_value_cents: 0,
    condition_times: times,
  };
}

function cents(text: string): number {
  return parseCents(text) ?? Number.NaN;
}

/** Nothing granted and nothing drawn. */
const NONE = { total: 0, already: 0 };

function factsFor(rule: RoundRule, ...amounts: string[]) {
  return factsOf(amounts.map(cents), rule.condition_value_cents);
}

const amounts = fc.array(fc.integer({ min: 1, max: 999_999_999_999 }), { maxLength: 30 });
const value = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1, max: 999_999_999_999 }),
);
const countedRules = fc
  .record({
    name: fc.constantFrom("1" as const, "2" as const),
    kind: fc.constantFrom<Kind>(
      "cumulative_full",
      "cumulative_reach",
      "single_full",
      "single_reach",
    ),
    value,
    times: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ name, kind, value: condition_value_cents, times }): RoundRule => ({
    condition_name: name,
    ...CODES[kind],
    condition_value_cents,
    condition_times: times,
  }));

describe("draws earned", () => {
  test.each<[string, Kind, string, number, string[], number]>([
    ["no deposit", "cumulative_full", "500", 1, [], 0],
    ["a cent short", "cumulative_full", "500", 1, ["499.99"], 0],
    ["exactly full", "cumulative_full", "500", 1, ["500.00"], 1],
    ["full with a cent over", "cumulative_full", "500", 1, ["500.01"], 1],
    ["a cent short of two", "cumulative_full", "500", 1, ["999.99"], 1],
    ["twice full", "cumulative_full", "500", 1, ["1000"], 2],
    ["small rows add up", "cumulative_full", "500", 1, ["499.99", "0.01"], 1],
    ["each full value gives all its draws", "cumulative_full", "500", 3, ["1000"], 6],
    ["a value with cents", "cumulative_full", "0.03", 1, ["0.10"], 3],
    ["no deposit", "cumulative_reach", "500", 3, [], 0],
    ["a cent short", "cumulative_reach", "500", 3, ["499.99"], 0],
    ["exactly reached", "cumulative_reach", "500", 3, ["500.00"], 3],
    ["far beyond gives no more", "cumulative_reach", "500", 3, ["5000", "5000"], 3],
    ["small rows add up", "cumulative_reach", "500", 3, ["499.99", "0.01"], 3],
    ["no deposit", "single_full", "500", 1, [], 0],
    ["a cent short", "single_full", "500", 1, ["499.99"], 0],
    ["exactly full", "single_full", "500", 1, ["500.00"], 1],
    ["one row can be full several times", "single_full", "500", 1, ["1499.99"], 2],
    ["rows do not add up", "single_full", "500", 1, ["499.99", "499.99"], 0],
    ["rows count one by one", "single_full", "500", 2, ["500", "999.99", "1000", "1"], 8],
    ["no deposit", "single_reach", "500", 5, [], 0],
    ["a cent short", "single_reach", "500", 5, ["499.99"], 0],
    ["exactly reached", "single_reach", "500", 5, ["500.00"], 5],
    ["rows do not add up", "single_reach", "500", 5, ["499.99", "499.99"], 0],
    ["several rows that reach it give no more", "single_reach", "500", 5, ["500", "9000"], 5],
  ])("%s (%s %s, %i draws)", (_name, kind, full, times, rows, expected) => {
    for (const source of ["1", "2"] as const) {
      const rule = ruleOf(kind, full, times, source);
      expect(earnedDraws(rule, factsFor(rule, ...rows))).toBe(expected);
    }
  });

  test.each([1, 5])("no limit gives its %i draws to everybody", (times) => {
    const rule = openRule("0", times);
    expect(earnedDraws(rule, factsFor(rule))).toBe(times);
    expect(earnedDraws(rule, factsFor(rule, "9000"))).toBe(times);
  });

  test.each([1, 5])("whitelist earns nothing, whatever its draw count of %i", (times) => {
    const rule = openRule("3", times);
    expect(earnedDraws(rule, factsFor(rule, "9000"))).toBe(0);
  });

  test("is exact where floating-point division is not", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 999_999_999_999 }), (sum, full) => {
        // A quotient could round the wrong way at multiples and next to them.
        const multiple = sum - (sum % full);
        for (const amount of [sum, multiple, Math.max(0, multiple - 1)]) {
          const rule = { ...ruleOf("cumulative_full", "1"), condition_value_cents: full };
          const facts = { sum_cents: amount, max_cents: amount, fulls: 0 };
          expect(BigInt(earnedDraws(rule, facts))).toBe(BigInt(amount) / BigInt(full));
          expect(BigInt(factsOf([amount], full).fulls)).toBe(BigInt(amount) / BigInt(full));
        }
      }),
    );
  });

  test("never falls when a row is added or grows", () => {
    fc.assert(
      fc.property(countedRules, amounts, fc.nat({ max: 999_999_999_999 }), (rule, rows, more) => {
        const earned = (list: number[]) =>
          earnedDraws(rule, factsOf(list, rule.condition_value_cents));
        expect(earned([...rows, more])).toBeGreaterThanOrEqual(earned(rows));
        const [first, ...others] = rows;
        if (first !== undefined) {
          expect(earned([first + more, ...others])).toBeGreaterThanOrEqual(earned(rows));
        }
      }),
    );
  });

  test("single rows earn at most what their sum does; once at most one time", () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 5 }), amounts, (full, times, rows) => {
        const earned = (kind: Kind) => {
          const rule = { ...ruleOf(kind, "1", times), condition_value_cents: full };
          return earnedDraws(rule, factsOf(rows, full));
        };
        expect(earned("single_full")).toBeLessThanOrEqual(earned("cumulative_full"));
        expect(earned("single_reach")).toBe(earned("single_full") > 0 ? times : 0);
        expect(earned("cumulative_reach")).toBe(earned("cumulative_full") > 0 ? times : 0);
      }),
    );
  });
});

describe("rules that cannot be saved", () => {
  const facts = { sum_cents: 100, max_cents: 100, fulls: 0 };
  test.each<[string, Partial<RoundRule>]>([
    ["value 0", { condition_value_cents: 0 }],
    ["a negative value", { condition_value_cents: -1 }],
    ["a value with half a cent", { condition_value_cents: 0.5 }],
    ["a value that is no number", { condition_value_cents: Number.NaN }],
    ["no formula", { condition_formula: "0" }],
    ["no type", { condition_type: "0" }],
  ])("are refused: %s", (_name, change) => {
    const rule = { ...ruleOf("cumulative_full", "1"), ...change };
    expect(() => earnedDraws(rule, facts)).toThrow(RangeError);
    expect(() => nextChance(rule, facts, NONE)).toThrow(RangeError);
  });
});

describe("facts", () => {
  test.each<[string, number[], number, [number, number, number]]>([
    ["of no rows are all 0", [], 100, [0, 0, 0]],
    ["count full values row by row", [49_999, 50_000, 125_000], 50_000, [224_999, 125_000, 3]],
    ["have no full values for a rule without value", [100, 200], 0, [300, 200, 0]],
  ])("%s", (_name, rows, full, [sum_cents, max_cents, fulls]) => {
    expect(factsOf(rows, full)).toEqual({ sum_cents, max_cents, fulls });
  });

  test("do not depend on the order of the rows, nor on where a list is split", () => {
    const shuffled = amounts.chain((rows) =>
      fc.record({
        rows: fc.constant(rows),
        mixed: fc.shuffledSubarray(rows, { minLength: rows.length }),
        cut: fc.nat({ max: rows.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, value, ({ rows, mixed, cut }, full) => {
        const whole = factsOf(rows, full);
        expect(factsOf(mixed, full)).toEqual(whole);
        const [head, tail] = [rows.slice(0, cut), rows.slice(cut)];
        expect(plusFacts(factsOf(head, full), factsOf(tail, full))).toEqual(whole);
      }),
    );
  });

  test("splitting one row changes neither the sum nor what a cumulative rule earns", () => {
    fc.assert(
      fc.property(
        amounts,
        fc.integer({ min: 2, max: 1_000_000 }),
        fc.nat(),
        value,
        (rows, row, at, full) => {
          const part = 1 + (at % (row - 1));
          const whole = factsOf([...rows, row], full);
          const split = factsOf([...rows, part, row - part], full);
          expect(split.sum_cents).toBe(whole.sum_cents);
          expect(split.fulls).toBeLessThanOrEqual(whole.fulls);
          for (const kind of ["cumulative_full", "cumulative_reach"] as const) {
            const rule = { ...ruleOf(kind, "1"), condition_value_cents: full };
            expect(earnedDraws(rule, split)).toBe(earnedDraws(rule, whole));
          }
        },
      ),
    );
  });

  test("refuse a sum beyond the safe integers", () => {
    expect(() => factsOf([Number.MAX_SAFE_INTEGER, 1], 100)).toThrow(RangeError);
    expect(() => factsOf([0.5], 100)).toThrow(RangeError);
  });
});

describe("chances", () => {
  test.each([
    [
      { earned: 2, already: 1, extra_unused: 1, extra_used_here: 0 },
      { total: 3, remain: 2 },
    ],
    [
      { earned: 2, already: 3, extra_unused: 0, extra_used_here: 1 },
      { total: 3, remain: 0 },
    ],
    [
      { earned: 0, already: 0, extra_unused: 0, extra_used_here: 0 },
      { total: 0, remain: 0 },
    ],
    // A deposit was reversed: what was drawn stays, what was not is gone (behaviour §4).
    [
      { earned: 0, already: 2, extra_unused: 0, extra_used_here: 0 },
      { total: 0, remain: 0 },
    ],
    [
      { earned: 0, already: 2, extra_unused: 1, extra_used_here: 0 },
      { total: 1, remain: 0 },
    ],
    [
      { earned: 0, already: 2, extra_unused: 3, extra_used_here: 1 },
      { total: 4, remain: 2 },
    ],
  ])("of %o", (counts, { total, remain }) => {
    const { already } = counts;
    expect(chancesOf(counts)).toEqual({ total, already, remain, limited_by: null });
  });

  test.each([
    // earned, already, drawn_today, draws_max, day_draws_max: total, remain, limited_by
    [3, 0, 0, 5, null, 3, 3, null],
    [8, 2, 2, 5, null, 5, 3, "draws_max"],
    [5, 5, 5, 5, null, 5, 0, null],
    [6, 5, 5, 5, null, 5, 0, "draws_max"],
    // A lowered limit takes back nothing that was drawn.
    [8, 5, 5, 3, null, 3, 0, "draws_max"],
    [4, 5, 5, 3, null, 3, 0, null],
    [8, 0, 9, null, 10, 1, 1, "day_draws_max"],
    [8, 2, 12, null, 10, 2, 0, "day_draws_max"],
    [8, 2, 4, 5, 7, 5, 3, "draws_max"],
    [8, 2, 4, 5, 6, 4, 2, "day_draws_max"],
  ] as const)("under limits: %j", (...row) => {
    const [earned, already, drawn_today, draws_max, day_draws_max, ...wanted] = row;
    const [total, remain, limited_by] = wanted;
    const ceiling = ceilingOf({ draws_max, day_draws_max }, { already, drawn_today });
    const counts = { earned, already, extra_unused: 0, extra_used_here: 0 };
    const chances = chancesOf(counts, ceiling);
    expect(chances).toEqual({ total, already, remain, limited_by });
    const rule = ruleOf("single_full", "1");
    const isOpen = Math.max(total, already) < ceiling.most;
    expect(nextChance(rule, NO_FACTS, chances, ceiling) !== null).toBe(isOpen);
  });

  test("remain is never negative and never more than is granted", () => {
    const count = fc.nat({ max: 1000 });
    const counts = fc.record({
      earned: count,
      already: count,
      extra_unused: count,
      extra_used_here: count,
    });
    fc.assert(
      fc.property(counts, (given) => {
        const { total, already, remain } = chancesOf(given);
        expect(remain).toBeGreaterThanOrEqual(0);
        expect(remain).toBeLessThanOrEqual(total);
        expect(remain === 0 || already + remain === total).toBe(true);
      }),
    );
  });
});

describe("the next chance", () => {
  test.each<[Kind, string, string[], string | null]>([
    ["cumulative_full", "500", [], "500"],
    ["cumulative_full", "500", ["499.99"], "0.01"],
    ["cumulative_full", "500", ["500"], "500"],
    ["cumulative_full", "500", ["500.01"], "499.99"],
    ["cumulative_reach", "500", [], "500"],
    ["cumulative_reach", "500", ["300", "199.99"], "0.01"],
    ["cumulative_reach", "500", ["500"], null],
    ["single_full", "500", [], "500"],
    ["single_full", "500", ["499.99"], "500"],
    ["single_full", "500", ["700"], "500"],
    ["single_reach", "500", [], "500"],
    ["single_reach", "500", ["499.99", "499.99"], "500"],
    ["single_reach", "500", ["500"], null],
  ])("%s %s after %j is missing %s", (kind, full, rows, missing) => {
    for (const [name, source] of [
      ["1", "bet"],
      ["2", "deposit"],
    ] as const) {
      const rule = ruleOf(kind, full, 2, name);
      expect(nextChance(rule, factsFor(rule, ...rows), NONE)).toEqual(
        missing === null ? null : { source, missing_cents: cents(missing) },
      );
    }
  });

  test.each(["0", "3"] as const)("no amount earns one where condition_name is %s", (name) => {
    const rule = openRule(name, 2);
    expect(nextChance(rule, factsFor(rule, "500"), NONE)).toBeNull();
  });

  // Draws 3 times, then some or all of what earned these draws is reversed.
  test.each<[Kind, string, number, string[], number, string | null]>([
    ["cumulative_full", "100", 1, [], 3, "400"],
    ["cumulative_full", "100", 1, ["100"], 3, "300"],
    ["cumulative_full", "100", 1, ["130"], 3, "270"],
    ["cumulative_full", "100", 2, [], 3, "200"],
    ["cumulative_full", "100", 3, [], 3, "200"],
    ["cumulative_full", "100", 4, [], 3, "100"],
    ["cumulative_reach", "100", 3, [], 3, null],
    ["cumulative_reach", "100", 4, ["20"], 3, "80"],
    ["single_full", "100", 1, [], 3, "400"],
    ["single_full", "100", 1, ["99"], 3, "400"],
    ["single_full", "100", 2, ["150"], 3, "100"],
    ["single_reach", "100", 3, [], 3, null],
    ["single_reach", "100", 4, [], 3, "100"],
  ])("%s %s × %i after %j with %i drawn is missing %s", (...row) => {
    const [kind, full, times, rows, already, missing] = row;
    const rule = ruleOf(kind, full, times);
    const facts = factsFor(rule, ...rows);
    const total = earnedDraws(rule, facts);
    expect(nextChance(rule, facts, { total, already })).toEqual(
      missing === null ? null : { source: "deposit", missing_cents: cents(missing) },
    );
  });

  test("a row of the missing amount gives a draw, a cent less does not", () => {
    const drawn = fc.nat({ max: 40 });
    fc.assert(
      fc.property(countedRules, amounts, drawn, drawn, (rule, rows, already, extra) => {
        const full = rule.condition_value_cents;
        const earned = (list: readonly number[]) => earnedDraws(rule, factsOf(list, full));
        const left = (list: readonly number[]) =>
          chancesOf({
            earned: earned(list),
            already,
            extra_unused: extra,
            extra_used_here: 0,
          });
        const now = left(rows);
        const next = nextChance(rule, factsOf(rows, full), now);
        if (next === null) {
          expect(left([...rows, 999_999_999_999]).remain).toBe(now.remain);
          return;
        }
        expect(left([...rows, next.missing_cents]).remain).toBeGreaterThan(now.remain);
        expect(left([...rows, next.missing_cents - 1]).remain).toBe(now.remain);
      }),
    );
  });
});
