import { expect, it } from "vitest";
import type { Prize } from "@red/contract/prize";
import { figuresOf, isLastDrawable, isPhysical, nextPoolName } from "./pool-math.ts";

const PRIZE: Prize = {
  id: 7,
  version: 1,
  pool_name: "周末池",
  award_name: "8.88元红包",
  award_price: "8.88",
  weight: 1,
  award_total: 40,
  drawn: 12,
  remaining: 28,
  floors: 0,
};

it("names a new pool by the smallest number that is free", () => {
  expect(nextPoolName([])).toBe("pool 1");
  expect(nextPoolName(["pool 1", "周末池", "pool 3"])).toBe("pool 2");
});

it("takes price 0 for physical", () => {
  expect(isPhysical({ award_price: "0.00" })).toBe(true);
  expect(isPhysical({ award_price: "0.01" })).toBe(false);
});

it("works out odds, stock and cost, in whatever order the prizes come", () => {
  const phone = {
    ...PRIZE,
    id: 3,
    award_price: "0.00",
    weight: 3,
    remaining: 2,
    floors: 1,
  } as const;
  const figures = figuresOf([PRIZE, phone]);
  expect(figures.odds.get(7)).toMatchObject({ configured: 0.25, effective: 0.25 });
  expect(figures).toMatchObject({
    remaining: 30,
    average: "2.22",
    exposure: "248.64",
    hasGuaranteedStock: true,
  });
});

it("has figures for an empty pool", () => {
  expect(figuresOf([])).toMatchObject({ remaining: 0, average: "0.00", hasGuaranteedStock: false });
});

it("knows the last prize that can be drawn", () => {
  const gone = { ...PRIZE, id: 8, remaining: 0 };
  const weightless = { ...PRIZE, id: 9, weight: 0 };
  expect(isLastDrawable([PRIZE, gone, weightless], PRIZE)).toBe(true);
  expect(isLastDrawable([PRIZE, gone, weightless], gone)).toBe(false);
  expect(isLastDrawable([PRIZE, { ...PRIZE, id: 10 }], PRIZE)).toBe(false);
  expect(isLastDrawable([gone], gone)).toBe(false);
});
