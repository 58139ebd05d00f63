import { parseCents } from "@red/contract/platform/money";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ceilingOf,
  chancesOf,
  chooseChance,
  earnedDraws,
  factsOf,
  nextChance,
  NO_FACTS,
  plusFacts,
} from "./chances.ts";
import type { RoundRule, UsableExtra } from "./chances.ts";
import { KINDS, openRule, ruleOf } from "./test-rules.ts";
import type { Kind } from "./test-rules.ts";

function cents(text: string): number {
  return parseCents(text) ?? Number.NaN;
}

function factsFor(rule: RoundRule, amounts: readonly string[]) {
  return factsOf(amounts.map(cents), rule.condition_value_cents);
}

const amounts = fc.array(fc.integer({ min: 1, max: 999_999_999_999 }), { maxLength: 30 });
const value = fc.oneof(
  fc.integer({ min: 1, max: 100 }),
  fc.integer({ min: 1, max: 999_999_999_999 }),
);
const times = fc.integer({ min: 1, max: 5 });
const countedRules = fc
  .tuple(fc.constantFrom(...KINDS), value, times, fc.constantFrom("1", "2"))
  .map((parts) => ruleOf(...parts));

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
  ])("%s (%s %s, %i draws)", (_name, kind, full, draws, rows, expected) => {
    for (const source of ["1", "2"] as const) {
      const rule = ruleOf(kind, cents(full), draws, source);
      expect(earnedDraws(rule, factsFor(rule, rows))).toBe(expected);
    }
  });

  test.each([1, 5])("are %i for everybody without a limit, and none on a whitelist", (draws) => {
    for (const facts of [NO_FACTS, factsOf([900_000], 0)]) {
      expect(earnedDraws(openRule("0", draws), facts)).toBe(draws);
      expect(earnedDraws(openRule("3", draws), facts)).toBe(0);
    }
  });

  test("is exact where floating-point division is not", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.integer({ min: 1, max: 999_999_999_999 }), (sum, full) => {
        // Checks multiples and the numbers next to them, where a quotient could round the wrong way.
        const multiple = sum - (sum % full);
        for (const amount of [sum, multiple, Math.max(0, multiple - 1)]) {
          const rule = ruleOf("cumulative_full", full);
          const facts = { sum_cents: amount, max_cents: amount, fulls: 0 };
          expect(BigInt(earnedDraws(rule, facts))).toBe(BigInt(amount) / BigInt(full));
          expect(BigInt(factsOf([amount], full).fulls)).toBe(BigInt(amount) / BigInt(full));
        }
      }),
    );
  });

  test("are those of the table of behaviour §4 in exact arithmetic", () => {
    fc.assert(
      fc.property(value, times, amounts, (full, draws, rows) => {
        const sum = rows.reduce((all, row) => all + row, 0);
        const met = {
          cumulative_full: BigInt(sum) / BigInt(full),
          cumulative_reach: sum >= full ? 1n : 0n,
          single_full: rows.reduce((all, row) => all + BigInt(row) / BigInt(full), 0n),
          single_reach: rows.some((row) => row >= full) ? 1n : 0n,
        };
        for (const kind of KINDS) {
          const earned = earnedDraws(ruleOf(kind, full, draws), factsOf(rows, full));
          expect(BigInt(earned)).toBe(met[kind] * BigInt(draws));
        }
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
    const rule = { ...ruleOf("cumulative_full", 100), ...change };
    expect(() => earnedDraws(rule, facts)).toThrow(RangeError);
    expect(() => nextChance(rule, facts, { total: 0, already: 0 })).toThrow(RangeError);
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
    fc.assert(
      fc.property(amounts, fc.nat({ max: 30 }), value, (rows, cut, full) => {
        const whole = factsOf(rows, full);
        const sorted = rows.toSorted((a, b) => a - b);
        expect(factsOf(sorted, full)).toEqual(whole);
        const [head, tail] = [rows.slice(0, cut), rows.slice(cut)];
        expect(plusFacts(factsOf(head, full), factsOf(tail, full))).toEqual(whole);
      }),
    );
  });

  test("refuse a sum beyond the safe integers", () => {
    expect(() => factsOf([Number.MAX_SAFE_INTEGER, 1], 100)).toThrow(RangeError);
    expect(() => factsOf([0.5], 100)).toThrow(RangeError);
  });
});

describe("chances", () => {
  test.each([
    // Columns: earned, extra_unused, extra_used_here, already, drawn_today, draws_max, day_draws_max; then
    // total, remain, limited_by.
    [0, 0, 0, 0, 0, null, null, 0, 0, null],
    [2, 1, 0, 1, 1, null, null, 3, 2, null],
    [2, 0, 1, 3, 3, null, null, 3, 0, null],
    // After a reversal the player keeps the draws already made, but loses the unused draws (behaviour §4).
    [0, 0, 0, 2, 2, null, null, 0, 0, null],
    [0, 1, 0, 2, 2, null, null, 1, 0, null],
    [0, 3, 1, 2, 2, null, null, 4, 2, null],
    [3, 0, 0, 0, 0, 5, null, 3, 3, null],
    [8, 0, 0, 2, 2, 5, null, 5, 3, "draws_max"],
    [5, 0, 0, 5, 5, 5, null, 5, 0, null],
    [6, 0, 0, 5, 5, 5, null, 5, 0, "draws_max"],
    // A lower limit takes back no draw that the player has already made.
    [8, 0, 0, 5, 5, 3, null, 3, 0, "draws_max"],
    [4, 0, 0, 5, 5, 3, null, 3, 0, null],
    [8, 0, 0, 0, 9, null, 10, 1, 1, "day_draws_max"],
    [8, 0, 0, 2, 12, null, 10, 2, 0, "day_draws_max"],
    [8, 0, 0, 2, 4, 5, 7, 5, 3, "draws_max"],
    [8, 0, 0, 2, 4, 5, 6, 4, 2, "day_draws_max"],
  ] as const)("from %j", (...row) => {
    const [earned, extra_unused, extra_used_here, already, drawn_today, ...limited] = row;
    const [draws_max, day_draws_max, total, remain, limited_by] = limited;
    const ceiling = ceilingOf({ draws_max, day_draws_max }, { already, drawn_today });
    const chances = chancesOf({ earned, already, extra_unused, extra_used_here }, ceiling);
    expect(chances).toEqual({ total, already, remain, limited_by });
    const isOpen = Math.max(total, already) < ceiling.most;
    expect(nextChance(ruleOf("single_full", 100), NO_FACTS, chances, ceiling) !== null).toBe(
      isOpen,
    );
  });
});

describe("the next chance", () => {
  test.each<[Kind, string, number, string[], number, string | null]>([
    ["cumulative_full", "500", 2, [], 0, "500"],
    ["cumulative_full", "500", 2, ["499.99"], 0, "0.01"],
    ["cumulative_full", "500", 2, ["500"], 0, "500"],
    ["cumulative_full", "500", 2, ["500.01"], 0, "499.99"],
    ["cumulative_reach", "500", 2, [], 0, "500"],
    ["cumulative_reach", "500", 2, ["300", "199.99"], 0, "0.01"],
    ["cumulative_reach", "500", 2, ["500"], 0, null],
    ["single_full", "500", 2, [], 0, "500"],
    ["single_full", "500", 2, ["499.99"], 0, "500"],
    ["single_full", "500", 2, ["700"], 0, "500"],
    ["single_reach", "500", 2, [], 0, "500"],
    ["single_reach", "500", 2, ["499.99", "499.99"], 0, "500"],
    ["single_reach", "500", 2, ["500"], 0, null],
    // The player draws 3 times; then a reversal cancels some or all of the rows that earned these draws.
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
    const [kind, full, draws, rows, already, missing] = row;
    for (const [name, source] of [
      ["1", "bet"],
      ["2", "deposit"],
    ] as const) {
      const rule = ruleOf(kind, cents(full), draws, name);
      const facts = factsFor(rule, rows);
      expect(nextChance(rule, facts, { total: earnedDraws(rule, facts), already })).toEqual(
        missing === null ? null : { source, missing_cents: cents(missing) },
      );
    }
  });

  test.each(["0", "3"] as const)("no amount earns one where condition_name is %s", (name) => {
    const none = { total: 0, already: 0 };
    expect(nextChance(openRule(name, 2), factsOf([50_000], 0), none)).toBeNull();
  });

  test("a row of the missing amount gives a draw, a cent less does not", () => {
    const drawn = fc.nat({ max: 40 });
    fc.assert(
      fc.property(countedRules, amounts, drawn, drawn, (rule, rows, already, extra) => {
        const full = rule.condition_value_cents;
        const earned = (list: readonly number[]) => earnedDraws(rule, factsOf(list, full));
        const left = (list: readonly number[]) =>
          chancesOf({ earned: earned(list), already, extra_unused: extra, extra_used_here: 0 });
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

describe("the chance that a draw uses", () => {
  const extra = (id: number, expire_at_ms: number): UsableExtra => ({ id, expire_at_ms });
  const round_end_ms = 1000;
  const base = { earned: 1, earned_used: 0, extras: [], round_end_ms, remain: 1 };

  test.each<[string, Partial<Parameters<typeof chooseChance>[0]>, "earned" | number | null]>([
    ["earned without extras", {}, "earned"],
    ["an extra that expires before the end", { extras: [extra(7, 999)] }, 7],
    ["earned before one that lasts", { extras: [extra(7, 1000)] }, "earned"],
    ["earned before a later one", { extras: [extra(7, 1001)] }, "earned"],
    ["the extra once all is used", { earned_used: 1, extras: [extra(7, 1001)] }, 7],
    ["the extra after a reversal", { earned: 0, earned_used: 1, extras: [extra(7, 1001)] }, 7],
    ["the earliest to expire", { extras: [extra(7, 900), extra(8, 800), extra(9, 2000)] }, 8],
    ["the lowest id of those that expire together", { extras: [extra(9, 800), extra(8, 800)] }, 8],
    ["nothing when nothing remains", { remain: 0, extras: [extra(7, 999)] }, null],
    ["nothing when there is nothing", { earned: 0 }, null],
  ])("is %s", (_name, change, expected) => {
    const chance =
      expected === null || expected === "earned"
        ? expected && { kind: expected }
        : { kind: "extra", id: expected };
    expect(chooseChance({ ...base, ...change })).toEqual(chance);
  });

  const extras = fc.uniqueArray(
    fc.record({ id: fc.nat({ max: 99 }), expire_at_ms: fc.integer({ min: 990, max: 1010 }) }),
    { selector: (extra) => extra.id, maxLength: 8 },
  );

  test("an extra time is always the earliest to expire, and its list is left alone", () => {
    const few = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(extras, few, few, few, (list, earned, earned_used, remain) => {
        const before = structuredClone(list);
        const state = { earned, earned_used, extras: list, round_end_ms, remain };
        const chance = chooseChance(state);
        expect(list).toEqual(before);
        if (chance?.kind === "extra") {
          const chosen = list.find((extra) => extra.id === chance.id);
          const first = Math.min(...list.map((extra) => extra.expire_at_ms));
          expect(chosen?.expire_at_ms).toBe(first);
          expect(first < round_end_ms || earned_used >= earned).toBe(true);
        }
        if (chance?.kind === "earned") {
          expect(earned_used).toBeLessThan(earned);
          expect(list.every((extra) => extra.expire_at_ms >= round_end_ms)).toBe(true);
        }
      }),
    );
  });

  test("drawing until nothing remains uses every chance once, in order", () => {
    fc.assert(
      fc.property(extras, fc.integer({ min: 0, max: 5 }), (list, earned) => {
        let left: UsableExtra[] = list;
        let earned_used = 0;
        const used: ("earned" | number)[] = [];
        for (;;) {
          const { remain } = chancesOf({
            earned,
            already: used.length,
            extra_unused: left.length,
            extra_used_here: list.length - left.length,
          });
          const chance = chooseChance({ earned, earned_used, extras: left, round_end_ms, remain });
          expect(chance === null).toBe(remain === 0);
          if (chance === null) {
            break;
          }
          if (chance.kind === "earned") {
            earned_used += 1;
            used.push("earned");
          } else {
            left = left.filter((extra) => extra.id !== chance.id);
            used.push(chance.id);
          }
        }
        const inOrder = list.toSorted((a, b) => a.expire_at_ms - b.expire_at_ms || a.id - b.id);
        const ids = (those: UsableExtra[]) => those.map((extra) => extra.id);
        expect(used).toEqual([
          ...ids(inOrder.filter((extra) => extra.expire_at_ms < round_end_ms)),
          ...Array.from({ length: earned }, () => "earned"),
          ...ids(inOrder.filter((extra) => extra.expire_at_ms >= round_end_ms)),
        ]);
      }),
    );
  });
});
