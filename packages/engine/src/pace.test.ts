import { expect, test } from "vitest";
import { drainsAt, runsOutAt } from "./pace.ts";

const M = 60_000;

test.each([
  ["30 left, 10 in 10 minutes: in half an hour", 30, 10, 40, 30],
  ["to the next whole minute", 1, 40, 40, 1],
  ["not when the round ends first", 30, 10, 30, null],
  ["not without draws", 30, 0, 40, null],
  ["not when it is empty already", 0, 10, 40, null],
])("a stock runs out: %s", (_, left, count, end, minutes) => {
  const at = runsOutAt(left, { count, ms: 10 * M }, 0, end * M);
  expect(at).toBe(minutes === null ? null : minutes * M);
});

test("a queue that falls by 10 of 100 in 10 s is empty in 90 s more, to the minute", () => {
  const drained = (ms: number, ...waiting: number[]) =>
    drainsAt(waiting.map((count, at) => ({ at: at * ms, waiting: count })));
  expect(drained(10_000, 100, 90)).toBe(2 * M);
  expect([drained(10_000, 90, 100), drained(9_000, 100, 90)]).toEqual([null, null]);
});
