import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FACTS_MAX, NO_FACTS, earnedDraws, factsOf } from "./chances.ts";
import type { EarningFacts } from "./chances.ts";
import { byInvolvement, chanceAnswer, closedGates, explainRows } from "./explanation.ts";
import type { ChanceState, ExplainableRow } from "./explanation.ts";
import { KINDS, openRule, ruleOf } from "./test-rules.ts";
import type { Kind } from "./test-rules.ts";

const NO_LIMIT = openRule("0", 2);
const WHITELIST = openRule("3", 2);

function row(amount_cents: number, more: Partial<ExplainableRow> = {}): ExplainableRow {
  return { amount_cents, place: "in_window", cancelled: false, other_platform: false, ...more };
}

function deciding(rows: readonly ExplainableRow[]): number[] {
  return rows
    .filter((one) => one.place === "in_window" && !one.cancelled && !one.other_platform)
    .map(({ amount_cents }) => amount_cents);
}

const AMOUNT = fc.oneof(
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 1, max: 999_999_999_999 }),
);
const rows = fc.array(
  fc.record({
    amount_cents: AMOUNT,
    place: fc.constantFrom("before_window", "in_window", "in_window", "in_window", "after_window"),
    cancelled: fc.boolean(),
    other_platform: fc.boolean(),
  }) satisfies fc.Arbitrary<ExplainableRow>,
  { maxLength: 30 },
);
const rules = fc
  .tuple(fc.constantFrom(...KINDS), AMOUNT, fc.integer({ min: 1, max: 5 }))
  .map((parts) => ruleOf(...parts));

describe("an explanation", () => {
  test("adds up to the chances that the rule gives, wherever the list is split", () => {
    fc.assert(
      fc.property(rules, rows, rows, (rule, unlisted, listed) => {
        const value = rule.condition_value_cents;
        const carried = factsOf(deciding(unlisted), value);
        const explained = explainRows(rule, carried, listed);
        const all = factsOf(deciding([...unlisted, ...listed]), value);
        expect(explained.facts).toEqual(all);
        const given = explained.rows.reduce((sum, { draws }) => sum + draws, 0);
        expect(earnedDraws(rule, carried) + given).toBe(earnedDraws(rule, all));
      }),
      { numRuns: 500 },
    );
  });

  test("marks each row that gives a draw as counted, and no row that does not decide", () => {
    fc.assert(
      fc.property(rules, rows, (rule, listed) => {
        const explained = explainRows(rule, NO_FACTS, listed);
        for (const [at, { verdict, draws, sum_cents, crossed_cents }] of explained.rows.entries()) {
          const one = listed[at];
          expect(draws > 0 ? verdict : "counted").toBe("counted");
          expect(crossed_cents !== null).toBe(draws > 0 && rule.condition_formula === "1");
          if (one?.place !== "in_window") {
            expect([verdict, sum_cents]).toEqual([one?.place, null]);
          } else if (one.cancelled) {
            expect([verdict, sum_cents]).toEqual(["cancelled", null]);
          }
        }
      }),
    );
  });

  test("of a capped sum gives what the capped sum earns", () => {
    const carried = { sum_cents: FACTS_MAX - 50, max_cents: 1, fulls: FACTS_MAX - 50 };
    for (const kind of KINDS) {
      const rule = ruleOf(kind, 1, 5);
      const explained = explainRows(rule, carried, [row(40), row(40), row(40)]);
      const given = explained.rows.reduce((sum, { draws }) => sum + draws, 0);
      const all = earnedDraws(rule, { sum_cents: FACTS_MAX, max_cents: 40, fulls: FACTS_MAX });
      expect(earnedDraws(rule, carried) + given).toBe(all);
    }
  });

  /** Expected text of each row: verdict, draws, sum, and the amount that the sum crossed with this row. */
  test.each<[Kind, number, number, ExplainableRow[], string[]]>([
    [
      "cumulative_full",
      120,
      1,
      [row(100), row(150), row(100, { cancelled: true }), row(500), row(9)],
      ["counted 0 100", "counted 2 250 240", "cancelled 0", "counted 4 750 720", "counted 0 759"],
    ],
    [
      "cumulative_reach",
      500,
      3,
      [row(499), row(1), row(5000)],
      ["counted 0 499", "counted 3 500 500", "already_reached 0 5500"],
    ],
    [
      "single_full",
      50,
      2,
      [row(49), row(50), row(149), row(60, { place: "after_window" })],
      ["too_small 0", "counted 2", "counted 4", "after_window 0"],
    ],
    [
      "single_reach",
      200,
      5,
      [row(900, { place: "before_window" }), row(199), row(200), row(5), row(1000)],
      ["before_window 0", "too_small 0", "counted 5", "too_small 0", "already_reached 0"],
    ],
  ])("of %s %i × %i is given row by row", (kind, value, times, listed, expected) => {
    const explained = explainRows(ruleOf(kind, value, times), NO_FACTS, listed);
    const lines = explained.rows.map(({ verdict, draws, sum_cents, crossed_cents }) =>
      [verdict, draws, sum_cents, crossed_cents].filter((part) => part !== null).join(" "),
    );
    expect(lines).toEqual(expected);
  });

  test("continues from what the rows before the list reached", () => {
    const once = ruleOf("cumulative_reach", 500, 3);
    expect(explainRows(once, factsOf([600], 500), [row(700)]).rows).toEqual([
      { verdict: "already_reached", sum_cents: 1300, crossed_cents: null, draws: 0 },
    ]);
    const full = ruleOf("cumulative_full", 500);
    expect(explainRows(full, factsOf([600], 500), [row(400)]).rows).toEqual([
      { verdict: "counted", sum_cents: 1000, crossed_cents: 1000, draws: 1 },
    ]);
  });

  test.each([NO_LIMIT, WHITELIST])("refuses rows that the rule does not count", (rule) => {
    expect(() => explainRows(rule, NO_FACTS, [row(1)])).toThrow(RangeError);
  });
});

describe("the answer", () => {
  const NONE = { count: 0, sum_cents: 0n };
  const full = ruleOf("cumulative_full", 12_000);
  const chances = (
    total: number,
    already: number,
    limited_by: ChanceState["chances"]["limited_by"] = null,
  ) => ({ chances: { total, already, remain: Math.max(0, total - already), limited_by } });

  function state(change: Partial<ChanceState>): ChanceState {
    return {
      rule: full,
      ...chances(0, 0),
      facts: NO_FACTS,
      cancelled: NONE,
      other_platform: NONE,
      other_kind: NONE,
      nearest: null,
      ...change,
    };
  }

  const low: EarningFacts = { sum_cents: 8_000, max_cents: 5_000, fulls: 0 };
  const rejected = { count: 2, sum_cents: 30_000n };
  const near = { side: "before_window", amount_cents: 20_000 } as const;

  test.each<[string, Partial<ChanceState>, string, number, number | bigint | null]>([
    ["some left", chances(3, 1), "left", 0, null],
    ["all used", chances(3, 3), "all_used", 0, null],
    ["taken back", chances(1, 3), "taken_back", 0, null],
    ["taken back to none", chances(0, 1), "taken_back", 0, null],
    ["limited, some left", chances(3, 1, "draws_max"), "left", 0, null],
    ["limited in the round", chances(2, 3, "draws_max"), "draws_max", 0, null],
    ["limited on the day", chances(0, 0, "day_draws_max"), "day_draws_max", 0, null],
    ["whitelist", { rule: WHITELIST, other_kind: rejected }, "no_extra", 0, null],
    ["sum too low", { facts: low, cancelled: rejected, nearest: near }, "sum_below", 0, 8_000],
    [
      "rows too small",
      { rule: ruleOf("single_full", 12_000), facts: low },
      "largest_below",
      0,
      5_000,
    ],
    ["all reversed", { cancelled: rejected, nearest: near }, "all_cancelled", 2, 30_000n],
    ["all outside", { nearest: near, other_kind: rejected }, "outside_window", 1, 20_000],
    [
      "other platforms",
      { other_platform: rejected, other_kind: rejected },
      "other_platform",
      2,
      30_000n,
    ],
    ["the other kind", { other_kind: rejected }, "other_kind", 2, 30_000n],
    ["nothing at all", {}, "no_rows", 0, null],
  ])("to %s", (_name, change, reason, count, amount_cents) => {
    expect(chanceAnswer(state(change))).toEqual({ reason, count, amount_cents });
  });
});

test("closed gates have one order, the player's own first", () => {
  const open = {
    blocked: false,
    excluded: false,
    draws_stopped: false,
    pool_stopped: false,
    paused: false,
    not_started: false,
    ended: false,
    sold_out: false,
  };
  expect(closedGates(open)).toEqual([]);
  expect(
    closedGates({ ...open, sold_out: true, ended: true, excluded: true, blocked: true }),
  ).toEqual(["blocked", "excluded", "ended", "sold_out"]);
});

test("rounds that involve the player come first, paused ones last", () => {
  const DEPOSITS = ruleOf("cumulative_full", 12_000);
  const none = { total: 0, already: 0, remain: 0 };
  const one = { total: 1, already: 0, remain: 1 };
  const drawn = { total: 1, already: 1, remain: 0 };
  const items = [
    { name: "nothing", rule: DEPOSITS, chances: none, reason: "no_rows" },
    { name: "too little", rule: DEPOSITS, chances: none, reason: "sum_below" },
    { name: "another kind", rule: DEPOSITS, chances: none, reason: "other_kind" },
    { name: "earned", rule: DEPOSITS, chances: one, reason: "left" },
    { name: "missed", rule: DEPOSITS, chances: none, reason: "outside_window" },
    { name: "open and drawn", rule: NO_LIMIT, chances: drawn, reason: "all_used" },
    { name: "open to all", rule: NO_LIMIT, chances: one, reason: "left" },
    { name: "not listed", rule: WHITELIST, chances: none, reason: "no_extra" },
    { name: "granted", rule: WHITELIST, chances: one, reason: "left" },
    { name: "reversed", rule: DEPOSITS, chances: { ...none, already: 1 }, reason: "taken_back" },
  ] as const;
  const isPaused = (name: string) => name === "earned";
  const involved = byInvolvement(items, (item) => ({ ...item, paused: isPaused(item.name) }));
  expect(involved.map(({ name }) => name)).toEqual([
    "open and drawn",
    "granted",
    "reversed",
    "too little",
    "missed",
    "open to all",
    "nothing",
    "another kind",
    "not listed",
    "earned",
  ]);
});
