import { expect, test } from "vitest";
import { timesAsked } from "./times-asked.ts";

const HOUR_MS = 3_600_000;

/** `1@0:600`: person 1 risks 600 cents at hour 0. */
const changesOf = (text: string) =>
  text.split(" ").map((one) => {
    const [person = 0, hour = 0, cents = 0] = one.split(/[@:]/).map(Number);
    return { person: person === 0 ? null : person, at: new Date(hour * HOUR_MS), cents };
  });

test.each([
  ["a change below", "1@0:999", 0, 0],
  ["the sum itself", "1@0:1000", 0, 1],
  ["a cent more", "1@0:1001", 1, 1],
  ["two that reach it together", "1@0:600 1@1:400", 0, 1],
  ["two that exceed it together", "1@0:600 1@1:401", 1, 1],
  ["who is asked begins at 0", "1@0:600 1@1:600 1@2:600 1@3:600", 2, 2],
  ["what follows a large one counts alone", "1@0:5000 1@1:600", 1, 1],
  ["a day less a second", "1@0:600 1@23.9997:600", 1, 1],
  ["a day", "1@0:600 1@24:600", 0, 0],
  ["a window that moves on", "1@0:600 1@20:300 1@30:600 1@40:200", 1, 1],
  ["two persons", "1@0:600 2@1:600", 0, 0],
  ["two persons, and redctl, each twice", "1@0:600 1@1:600 2@0:600 2@1:600 0@0:600 0@1:600", 3, 3],
  ["what costs nothing", "1@0:600 1@1:0", 0, 0],
  ["what costs nothing, once the sum is full", "1@0:1000 1@1:0", 0, 1],
])("a sum of 10.00 and %s", (_, text, code, others) => {
  const changes = changesOf(text);
  expect(timesAsked("guard_sum", 1_000, changes)).toBe(code);
  expect(timesAsked("band_reason", 1_000, changes)).toBe(others);
  expect(timesAsked("band_second", 1_000, changes)).toBe(others);
});

test("a sum of 0 asks for each change that costs something", () => {
  const changes = changesOf("1@0:1 1@1:0 2@1:5");
  expect(timesAsked("guard_sum", 0, changes)).toBe(2);
  expect(timesAsked("band_second", 0, changes)).toBe(2);
});
