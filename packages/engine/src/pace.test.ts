import { describe, expect, it } from "vitest";
import { drainsAt, runsOutAt } from "./pace.ts";

const NOW = Date.UTC(2026, 10, 26, 12, 0, 0);
const MINUTE = 60_000;

describe("a stock", () => {
  it.each([
    ["30 left, 10 in 10 minutes: in half an hour", 30, 10, NOW + 40 * MINUTE, NOW + 30 * MINUTE],
    ["up to the next whole minute", 1, 40, NOW + 40 * MINUTE, NOW + MINUTE],
    ["not when the round ends first", 30, 10, NOW + 30 * MINUTE, null],
    ["not without draws", 30, 0, NOW + 40 * MINUTE, null],
    ["not when it is empty already", 0, 10, NOW + 40 * MINUTE, null],
  ])("runs out: %s", (_, left, count, end, expected) => {
    expect(runsOutAt(left, { count, ms: 10 * MINUTE }, NOW, end)).toBe(expected);
  });
});

describe("a queue", () => {
  it.each([
    ["90 of 100 in 10 s more: in 90 s, to the minute", [100, 90], 10_000, NOW + 2 * MINUTE],
    ["not while it grows", [90, 100], 10_000, null],
    ["not when it is empty", [100, 0], 10_000, null],
    ["not after a short look", [100, 90], 9_000, null],
  ])("drains: %s", (_, waiting, ms, expected) => {
    const samples = waiting.map((count, at) => ({ at: NOW - ms + at * ms, waiting: count }));
    expect(drainsAt(samples)).toBe(expected);
  });

  it("is not judged without a look", () => {
    expect(drainsAt([])).toBeNull();
  });
});
