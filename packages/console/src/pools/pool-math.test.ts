import { expect, it } from "vitest";
import type { Prize } from "@red/contract/pools/prize";
import { PRIZE as FIRST } from "#test/fixtures.ts";
import { figuresAfter, figuresOf, isLastDrawable, isPhysical, nextPoolName } from "./pool-math.ts";

const PRIZE: Prize = {
  ...FIRST,
  id: 7,
  award_price: "8.88",
  weight: 1,
  award_total: 40,
  remaining: 28,
  floors: 0,
};

it("names a new pool by the smallest free number", () => {
  expect(nextPoolName([])).toBe("pool 1");
  expect(nextPoolName(["pool 1", "周末池", "pool 3"])).toBe("pool 2");
});

it("treats price 0 as physical", () => {
  expect(isPhysical({ award_price: "0.00" })).toBe(true);
  expect(isPhysical({ award_price: "0.01" })).toBe(false);
});

it("computes odds, stock and cost, in any order of the prizes, and of an empty pool", () => {
  const goods = { id: 3, award_price: "0.00", weight: 3, remaining: 2, floors: 1 } as const;
  const phone = { ...PRIZE, ...goods };
  const figures = figuresOf([PRIZE, phone]);
  expect(figures.odds.get(7)).toMatchObject({ configured: 0.25, effective: 0.25 });
  expect(figures).toMatchObject({
    remaining: 30,
    average: "2.22",
    exposure: "248.64",
    hasGuaranteedStock: true,
  });
  expect(figuresOf([])).toMatchObject({ remaining: 0, average: "0.00", hasGuaranteedStock: false });
});

it("finds the last prize that can be drawn", () => {
  const soldOut = { ...PRIZE, id: 8, remaining: 0 };
  const weightless = { ...PRIZE, id: 9, weight: 0 };
  expect(isLastDrawable([PRIZE, soldOut, weightless], PRIZE)).toBe(true);
  expect(isLastDrawable([PRIZE, soldOut, weightless], soldOut)).toBe(false);
  expect(isLastDrawable([PRIZE, { ...PRIZE, id: 10 }], PRIZE)).toBe(false);
  expect(isLastDrawable([soldOut], soldOut)).toBe(false);
});

it("computes the cost of the next draw after an import from what would be left", () => {
  const prize = { floors: 0, change: "unchanged" } as const;
  const figures = figuresAfter([
    { ...prize, award_name: "a", award_price: "1.00", weight: 3, award_total: 10, drawn: 0 },
    { ...prize, award_name: "b", award_price: "9.00", weight: 1, award_total: 5, drawn: 5 },
  ]);
  expect(figures).toMatchObject({ remaining: 10, average: "1.00" });
});
