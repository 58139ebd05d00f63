import { PRESETS } from "@red/contract/platform/codes";
import type { PresetKey } from "@red/contract/platform/codes";
import { LANGUAGES } from "@red/contract/platform/texts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparedExamples, movesWindow, ruleChange } from "./rule-change.ts";
import type { ComparedRound } from "./rule-change.ts";
import { workedExample } from "./rule-text.ts";
import { presetRound } from "./test-rules.ts";

const NAMES = { pool_name: "周末池", tag: "weekend", tag_label: "周末红包" };

function roundOf(key: PresetKey, more: Partial<ComparedRound> = {}): ComparedRound {
  return { ...presetRound(key), ...NAMES, ...more };
}

const FULL = roundOf("cumulative_deposit_full");

/** Formats each example as `did: before → after`. */
function lines(before: ComparedRound, after: ComparedRound, language: "zh" | "en" = "zh") {
  return comparedExamples(before, after, language).map(
    (each) => `${each.did}: ${each.before} → ${each.after}`,
  );
}

const rounds = fc
  .record({
    preset: fc.constantFrom(...PRESETS),
    value: fc.integer({ min: 1, max: 999_999_999_999 }),
    condition_times: fc.integer({ min: 1, max: 5 }),
    draws_max: fc.option(fc.integer({ min: 1, max: 9 })),
  })
  .map(({ preset: { key, condition_formula }, value, ...limits }) => {
    const condition_value_cents = condition_formula === "0" ? 0 : value;
    return roundOf(key, { ...limits, condition_value_cents });
  });

describe("examples of two rules", () => {
  test("have each amount of both once, and one with an extra time", () => {
    expect(lines(FULL, { ...FULL, condition_value_cents: 20_000 })).toEqual([
      "累计存款 300: 2 → 1",
      "累计存款 119.99: 0 → 0",
      "累计存款 500: 4 → 2",
      "累计存款 199.99: 1 → 0",
      "累计存款 300，另有额外次数 1 个: 3 → 2",
    ]);
  });

  test("give the number of rows when either rule counts single rows", () => {
    const single = roundOf("single_deposit_full");
    expect(lines(FULL, single)).toEqual([
      "一笔存款 300: 2 → 6",
      "一笔存款 119.99: 0 → 2",
      "一笔存款 125: 1 → 2",
      "两笔存款各 49.99: 0 → 0",
      "一笔存款 300，另有额外次数 1 个: 3 → 7",
    ]);
    expect(lines(single, FULL, "en").slice(0, 2)).toEqual([
      "one deposit of 125: 2 → 1",
      "two deposits of 49.99 each: 0 → 0",
    ]);
  });

  test("give 0 for what only the other rule counts", () => {
    const bets = roundOf("cumulative_bet_reach", { condition_times: 2 });
    expect(lines(FULL, bets, "en")).toEqual([
      "deposits of 300 in total: 2 → 0",
      "deposits of 119.99 in total: 0 → 0",
      "bets of 150 in total: 0 → 2",
      "bets of 300 in total: 0 → 2",
      "deposits of 300 in total and 1 extra draw granted: 3 → 1",
    ]);
  });

  test("take the amounts of the rule that counts any", () => {
    expect(lines(FULL, roundOf("no_limit", { condition_times: 2 }))).toEqual([
      "累计存款 300: 2 → 2",
      "累计存款 119.99: 0 → 2",
      "累计存款 300，另有额外次数 1 个: 3 → 3",
    ]);
    expect(lines(roundOf("no_limit"), roundOf("whitelist"))).toEqual([
      "没有额外次数: 1 → 0",
      "额外次数 1 个: 2 → 1",
    ]);
  });

  test("name the group of each extra time, by key if it has no label", () => {
    expect(lines(FULL, { ...FULL, tag: "dragon", tag_label: undefined }).slice(2)).toEqual([
      "累计存款 300，另有「周末红包」组别的额外次数 1 个: 3 → 2",
      "累计存款 300，另有「dragon」组别的额外次数 1 个: 2 → 3",
    ]);
    const list = roundOf("whitelist");
    expect(lines(list, { ...list, tag: "dragon", tag_label: "Dragon" }, "en")).toEqual([
      "no extra draw granted: 0 → 0",
      "1 extra draw granted in group “周末红包”: 1 → 0",
      "1 extra draw granted in group “Dragon”: 0 → 1",
    ]);
  });

  test("go beyond a limit of either rule", () => {
    const last = (before: ComparedRound, more: Partial<ComparedRound>) =>
      lines(before, { ...before, ...more }).at(-1);
    const capped = { ...FULL, day_draws_max: 5 };
    expect(last(FULL, { draws_max: 5 })).toBe("累计存款 300，另有额外次数 4 个: 6 → 5");
    expect(last(capped, { day_draws_max: null })).toBe("累计存款 300，另有额外次数 4 个: 5 → 6");
    expect(last(capped, { day_draws_max: 8 })).toBe("累计存款 300，另有额外次数 7 个: 5 → 8");
    expect(last(roundOf("whitelist"), { draws_max: 3 })).toBe("额外次数 4 个: 4 → 3");
  });

  test("are those of one rule when both are equal", () => {
    fc.assert(
      fc.property(rounds, fc.constantFrom(...LANGUAGES), (round, language) => {
        const told = comparedExamples(round, round, language);
        expect(told.map(({ did, before }) => `${did} → ${before}`)).toEqual(
          workedExample(round, language).map((line) => line.replace(/ (?:次|draws?)$/u, "")),
        );
        expect(told.every(({ before, after }) => before === after)).toBe(true);
      }),
    );
  });

  test("are the same in either order", () => {
    fc.assert(
      fc.property(rounds, rounds, (one, other) => {
        const there = comparedExamples(one, other, "en").slice(0, -1);
        const back = comparedExamples(other, one, "en").slice(0, -1);
        const turned = back.map((each) => ({ ...each, before: each.after, after: each.before }));
        expect(turned).toHaveLength(there.length);
        expect(turned).toEqual(expect.arrayContaining([...there]));
      }),
    );
  });
});

describe("what a change of the rule touches", () => {
  const moved = { achieve_end_time: "2026-11-21 23:59:59" };

  test.each<[string, ComparedRound, Partial<ComparedRound>, string]>([
    ["nothing", FULL, {}, "none"],
    ["the value", FULL, { condition_value_cents: 12_001 }, "chances"],
    ["the draw count", FULL, { condition_times: 2 }, "chances"],
    ["the formula", FULL, { condition_formula: "3" }, "chances"],
    ["whether it repeats", FULL, { condition_type: "1" }, "chances"],
    ["the source", FULL, { condition_name: "1" }, "chances"],
    ["the window", FULL, moved, "chances"],
    ["a limit of the round", FULL, { draws_max: 5 }, "chances"],
    ["a limit of the day", FULL, { day_draws_max: 5 }, "chances"],
    ["the platforms", FULL, { platforms: [1234] }, "chances"],
    ["the group", FULL, { tag: "dragon" }, "chances"],
    ["the turnover", FULL, { turnover: 4 }, "draws"],
    ["the pool", FULL, { pool_name: "另一池" }, "draws"],
    ["the start", FULL, { start_time: "2026-11-20 20:00:01" }, "draws"],
    ["the end", FULL, { end_time: "2026-11-20 23:00:00" }, "draws"],
    ["a label that has come", FULL, { tag_label: undefined }, "none"],
    ["the draw count without limit", roundOf("no_limit"), { condition_times: 2 }, "chances"],
    ["a window without limit", roundOf("no_limit"), moved, "none"],
    ["the draw count of a whitelist", roundOf("whitelist"), { condition_times: 2 }, "none"],
    ["a window of a whitelist", roundOf("whitelist"), moved, "none"],
    ["no limit to whitelist", roundOf("no_limit"), { condition_name: "3" }, "chances"],
  ])("%s", (_what, before, more, expected) => {
    expect(ruleChange(before, { ...before, ...more })).toBe(expected);
    expect(ruleChange({ ...before, ...more }, before)).toBe(expected);
  });

  test("is of the chances wherever an example changes", () => {
    const someOf = fc.record(
      {
        condition_times: fc.integer({ min: 1, max: 5 }),
        turnover: fc.integer({ min: 1, max: 10 }),
        achieve_end_time: fc.constant(moved.achieve_end_time),
        end_time: fc.constant("2026-11-20 23:00:00"),
        tag: fc.constantFrom("weekend", "dragon"),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(rounds, someOf, (round, more) => {
        const other = { ...round, ...more };
        const told = comparedExamples(round, other, "zh");
        if (told.some(({ before, after }) => before !== after)) {
          expect(ruleChange(round, other)).toBe("chances");
        }
      }),
    );
  });

  test("a window moves only if both count the same kind of rows", () => {
    expect(movesWindow(FULL, FULL)).toBe(false);
    expect(movesWindow(FULL, { ...FULL, ...moved })).toBe(true);
    expect(movesWindow(FULL, { ...FULL, ...moved, condition_name: "1" })).toBe(false);
    expect(movesWindow(roundOf("no_limit"), roundOf("no_limit", moved))).toBe(false);
  });
});
