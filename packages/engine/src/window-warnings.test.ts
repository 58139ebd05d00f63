import { expect, test } from "vitest";
import { earningFault } from "./window-warnings.ts";

const at = (time: string) => Date.parse(`2026-11-${time.replace(" ", "T")}Z`);

/** Players draw on the evening of the 20th. */
const ROUND = { start_ms: at("20 20:00:00"), end_ms: at("20 22:00:00") };

test.each([
  ["counts all day", "20 00:00:00", "20 23:59:59", null],
  ["counts while it is drawn", "20 20:00:00", "20 22:00:00", null],
  ["ends in the second in which the round starts", "19 00:00:00", "20 20:00:00", null],
  ["ends a second before the round starts", "19 00:00:00", "20 19:59:59", "before"],
  ["ended a day before, to the second", "19 00:00:00", "19 20:00:00", "before"],
  ["ended more than a day before", "19 00:00:00", "19 19:59:59", "long_before"],
  ["starts a second before the round's end", "20 21:59:59", "21 23:59:59", null],
  ["starts at the round's end", "20 22:00:00", "21 23:59:59", "never"],
  ["starts days after the round", "25 00:00:00", "25 23:59:59", "never"],
] as const)("a window that %s: %s to %s is %s", (_, from, to, fault) => {
  const window = { achieve_start_ms: at(from), achieve_end_ms: at(to) };
  expect(earningFault({ ...ROUND, ...window, condition_name: "2" })).toBe(fault);
  expect(earningFault({ ...ROUND, ...window, condition_name: "1" })).toBe(fault);
  // This rule counts nothing, so its window does not matter.
  expect(earningFault({ ...ROUND, ...window, condition_name: "0" })).toBeNull();
  expect(earningFault({ ...ROUND, ...window, condition_name: "3" })).toBeNull();
});
