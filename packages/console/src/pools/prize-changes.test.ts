import type { PoolPreview, Prize } from "@red/contract/pools/prize";
import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import { describe, expect, it } from "vitest";
import { importCounts, prizeChanges, prizeEffect, removalEffect } from "./prize-changes.ts";
import type { EnteredPrize } from "./prize-changes.ts";

type After = PoolPreview["prizes"][number];

function prizeOf(id: number, award_name: string, weight: number): Prize {
  const amounts = { award_price: "1.00", award_total: 10, remaining: 4 };
  return { id, award_name, weight, ...amounts, drawn: 6, pool_name: "p", floors: 1, version: 1 };
}

function afterOf(award_name: string, weight: number, change: After["change"]): After {
  const amounts = { award_price: "1.00", award_total: 10, drawn: change === "added" ? 0 : 6 };
  return { award_name, weight, ...amounts, floors: 1, change };
}

const NOW = [prizeOf(3, "one", 1), prizeOf(5, "two", 1)];

it("lists added and changed prizes first, then those whose odds change", () => {
  const then = [
    afterOf("one", 1, "unchanged"),
    afterOf("two", 1, "unchanged"),
    afterOf("three", 2, "added"),
  ];
  const changes = prizeChanges(NOW, then);
  expect(
    changes.map(({ award_name, before, after }) => [award_name, before?.odds, after.odds]),
  ).toEqual([
    ["three", undefined, 0.5],
    ["one", 0.5, 0.25],
    ["two", 0.5, 0.25],
  ]);
});

it("leaves out unchanged prizes", () => {
  const one = { ...afterOf("one", 1, "updated"), award_total: 20 };
  const [change, ...more] = prizeChanges(NOW, [one, afterOf("two", 1, "unchanged")]);
  expect(change).toMatchObject({ before: { award_total: 10 }, after: { award_total: 20 } });
  expect(more).toEqual([]);
});

it("counts as updated only prizes that an import changes", () => {
  const totals = { prize_total: 1, weight_total: 1 };
  const shared = { is_new: false, before: totals, after: totals };
  const pool = (pool_name: string, ...prizes: After[]) => ({ ...shared, pool_name, prizes });
  const pools = [
    pool("a", afterOf("kept", 1, "unchanged"), afterOf("named", 1, "unchanged")),
    pool("b", afterOf("other", 1, "updated"), afterOf("new", 1, "added")),
  ];
  expect(importCounts({ updated: 2, pools })).toEqual({ updated: 1, same: 1 });
});

describe("the effect of saving a prize", () => {
  const now = [prizeOf(3, "one", 1), prizeOf(5, "two", 3)];
  const entered = { weight: "1", award_total: "10", award_price: "100.00", floors: 1 } as const;

  it("on an existing prize", () => {
    const effect = prizeEffect(now, 3, entered);
    expect(effect).toMatchObject({
      oddsBefore: 0.25,
      oddsAfter: 0.25,
      before: { average: "1.00", exposure: "8.00" },
      after: { average: "25.75", exposure: "404.00" },
      averageJump: 25.7,
      exposureJump: 50.5,
    });
  });

  it("on a pool with a new prize", () => {
    const effect = prizeEffect(now, null, { ...entered, weight: "4", award_price: "1.00" });
    expect(effect).toMatchObject({
      oddsBefore: null,
      oddsAfter: 0.5,
      after: { average: "1.00", exposure: "18.00" },
      averageJump: null,
      exposureJump: 2.2,
    });
    expect(prizeEffect([], null, entered)).toMatchObject({ oddsAfter: 1, averageJump: null });
  });

  it.each<[string, EnteredPrize, number?]>([
    ["a weight is missing", { ...entered, weight: "" }],
    ["a total is no number", { ...entered, award_total: "9".repeat(17) }],
    ["the sum of the weights is too large", { ...entered, weight: String(WEIGHT_SUM_MAX) }],
    ["an amount has three decimals", { ...entered, award_price: "1.234" }],
    ["nothing is entered", {}],
    ["the pool does not have the prize", entered, 4],
  ])("is unknown while %s", (_, incomplete, id = 3) => {
    expect(prizeEffect(now, id, incomplete)).toBeNull();
  });
});

describe("the effect of deleting a prize", () => {
  const floored = (id: number, name: string, weight: number, floors: 0 | 1): Prize => ({
    ...prizeOf(id, name, weight),
    floors,
  });

  it("on the odds of the others, the costs, and the replacements", () => {
    const now = [
      { ...floored(3, "floor", 2, 1), award_price: "1.00" },
      { ...floored(5, "small", 1, 0), award_price: "5.00" },
      { ...floored(6, "large", 1, 0), award_price: "9.00" },
    ];
    const effect = removalEffect(now, { id: 3 });
    expect(effect.odds).toEqual([
      { award_name: "small", before: 0.25, after: 0.5 },
      { award_name: "large", before: 0.25, after: 0.5 },
    ]);
    expect([effect.before.average, effect.after.average]).toEqual(["4.00", "7.00"]);
    expect([effect.before.exposure, effect.after.exposure]).toEqual(["60.00", "56.00"]);
    expect([effect.averageJump, effect.exposureJump]).toEqual([null, null]);
    expect(effect.isOnlyFloor).toBe(true);
    expect(removalEffect(now, { id: 5 }).isOnlyFloor).toBe(false);
  });

  it("loses no guaranteed prize if another has stock, or it had none itself", () => {
    const two = [floored(3, "one", 1, 1), floored(5, "two", 1, 1)];
    expect(removalEffect(two, { id: 3 }).isOnlyFloor).toBe(false);
    const soldOut = [{ ...floored(3, "one", 1, 1), remaining: 0 }, floored(5, "two", 1, 0)];
    expect(removalEffect(soldOut, { id: 3 }).isOnlyFloor).toBe(false);
  });

  it("has the factor of the cost per draw, and leaves out unchanged odds", () => {
    const now = [
      { ...floored(3, "cheap", 3, 1), award_price: "1.00" },
      { ...floored(5, "dear", 1, 0), award_price: "9.00" },
      floored(6, "never", 0, 0),
    ];
    const effect = removalEffect(now, { id: 3 });
    expect(effect.averageJump).toBe(3);
    expect(effect.odds.map(({ award_name }) => award_name)).toEqual(["dear"]);
  });
});
