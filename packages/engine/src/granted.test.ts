import { describe, expect, test } from "vitest";
import { grownDraws, heldDraws } from "./granted.ts";
import type { AlikePlayers, GrantingRule } from "./granted.ts";

const rule = (more: Partial<GrantingRule> = {}): GrantingRule => ({
  condition_name: "2",
  condition_formula: "1",
  condition_type: "2",
  condition_value_cents: 120_000,
  condition_times: 1,
  draws_max: null,
  day_draws_max: null,
  ...more,
});
const NO_LIMIT = { condition_name: "0", condition_formula: "0", condition_type: "0" } as const;
const WHITELIST = { ...NO_LIMIT, condition_name: "3" } as const;

/** Makes `count` equal players, with the number of times that they meet the rule before and after. */
const alike = (count: number, was: number, will: number, extras = 0): AlikePlayers => ({
  count,
  before: { met: was, extras },
  after: { met: will, extras },
  already: 0,
  used: 0,
});

describe("the growth of what is granted", () => {
  const of = (players: readonly AlikePlayers[], before: object | null, after: object) =>
    grownDraws(before === null ? null : rule(before), rule(after), players);

  test.each([
    ["a lower condition", [alike(10, 1, 100)], {}, {}, 990],
    ["more draws a time", [alike(10, 2, 2)], {}, { condition_times: 3 }, 40],
    ["a limit that goes", [alike(10, 7, 7)], { draws_max: 2 }, {}, 50],
    ["a limit of a day that goes", [alike(10, 7, 7)], { day_draws_max: 1 }, {}, 60],
    ["met once, then for each", [alike(10, 7, 7)], { condition_type: "1" }, {}, 60],
    [
      "no limit for all",
      [alike(8, 0, 0), alike(2, 3, 0)],
      {},
      { ...NO_LIMIT, condition_value_cents: 0 },
      8,
    ],
    [
      "a whitelist gives extra times alone",
      [alike(3, 5, 0, 2)],
      {},
      { ...WHITELIST, condition_value_cents: 0 },
      0,
    ],
    ["a new round", [alike(4, 0, 2, 1)], null, {}, 12],
    [
      "less for one is not netted with more for another",
      [alike(1, 9, 0), alike(1, 0, 9)],
      {},
      {},
      9,
    ],
  ])("%s", (_, players, before, after, draws) => {
    expect(of(players, before, after)).toBe(draws);
  });
});

test.each([
  ["earned and extra, not drawn", { met: 5, extras: 2 }, 3, 1, {}, 5],
  ["none below 0 after a reversal", { met: 0, extras: 0 }, 3, 0, {}, 0],
  ["up to the limit of the round", { met: 5, extras: 2 }, 3, 1, { draws_max: 4 }, 1],
  [
    "a day's limit allows no more than it at once",
    { met: 9, extras: 0 },
    3,
    0,
    { day_draws_max: 2 },
    2,
  ],
])("players hold %s", (_, after, already, used, more, held) => {
  const players = [{ count: 2, before: { met: 0, extras: 0 }, after, already, used }];
  expect(heldDraws(rule(more), players)).toBe(2 * held);
});
