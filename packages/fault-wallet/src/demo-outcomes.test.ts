import { expect, it } from "vitest";
import { outcomeOf } from "./demo-outcomes.ts";

const NUMBERS = Array.from({ length: 20_000 }, (_, index) => `sn-${index}`);

it("is paid at once in most cases, and every other way is taken too", () => {
  const outcomes = NUMBERS.map((number) => outcomeOf(number, 0));
  const at_once = outcomes.filter(({ mode }) => mode === "late");
  expect(at_once.length / outcomes.length).toBeGreaterThan(0.88);
  const ways = outcomes.map(({ mode, by, settle }) => `${mode} ${by} ${settle}`);
  const processed = ["callback paid", "callback refused", "query paid"];
  for (const way of ["refuse", "pay_then_500", ...processed.map((how) => `processing ${how}`)]) {
    expect(ways.some((one) => one.startsWith(way))).toBe(true);
  }
});
