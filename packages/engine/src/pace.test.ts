import { expect, test } from "vitest";
import { drainsAt, runsOutAt } from "./pace.ts";

const M = 60_000;

test.each([
  ["30 left, 10 in 10 minutes: in half an hour", 30, 10, 40 * M, 30 * M],
  ["to the next whole minute", 1, 40, 40 * M, M],
  ["not when the round ends first", 30, 10, 30 * M, null],
  ["not without draws", 30, 0, 40 * M, null],
  ["not when it is empty already", 0, 10, 40 * M, null],
])("a stock runs out: %s", (_, left, count, end, expected) => {
  expect(runsOutAt(left, { count, ms: 10 * M }, 0, end)).toBe(expected);
});

test.each([
  ["90 of 100 in 10 s: in 90 s more, to the minute", [100, 90], 10_000, 2 * M],
  ["not while it grows", [90, 100], 10_000, null],
  ["not after a short look", [100, 90], 9_000, null],
])("a queue drains: %s", (_, waiting, ms, expected) => {
  expect(drainsAt(waiting.map((count, at) => ({ at: at * ms, waiting: count })))).toBe(expected);
});
