import { expect, test } from "vitest";
import { drainsAt, perHour, runsOutAt } from "./pace.ts";

const M = 60_000;

test.each([
  ["30 left, 10 in 10 minutes: in half an hour", 30, 10, 40, 30 * M],
  ["to the next whole minute", 1, 40, 40, M],
  ["not when the round ends first", 30, 10, 30, null],
  ["not without draws", 30, 0, 40, null],
  ["not when it is empty already", 0, 10, 40, null],
])("a stock runs out: %s", (_, left, count, end, expected) => {
  expect(runsOutAt(left, { count, ms: 10 * M }, 0, end * M)).toBe(expected);
});

test("a queue that falls by 10 of 100 in 10 s is empty in 90 s more, to the minute", () => {
  const first = { at: 0, waiting: 100 };
  const after = (at: number, waiting: number) => drainsAt([first, { at, waiting }]);
  expect([after(10_000, 90), after(10_000, 110), after(9_000, 90)]).toEqual([2 * M, null, null]);
});

test.each([
  ["ten minutes of a long round", 100, 60, 600],
  ["a round that has just started", 100, 2, 3_000],
  ["its first seconds count as a minute", 3, 0.1, 180],
])("an hour at the pace of %s", (_, count, minutes, expected) => {
  expect(perHour(count, 10, minutes * M)).toBe(expected);
});
