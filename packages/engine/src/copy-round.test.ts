import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { copiedRoundName, copyName, timesFrom } from "./copy-round.ts";
import type { RoundTimes } from "./copy-round.ts";

const TIMES: RoundTimes = {
  achieve_start_time: "2026-11-19 00:00:00",
  achieve_end_time: "2026-11-20 23:59:59",
  start_time: "2026-11-20 20:00:00",
  end_time: "2026-11-21 02:00:00",
};

describe("times", () => {
  test.each([
    ["a week later", "2026-11-27", "2026-11-26", "2026-11-27", "2026-11-28"],
    ["the same day", "2026-11-20", "2026-11-19", "2026-11-20", "2026-11-21"],
    ["an earlier day", "2026-11-01", "2026-10-31", "2026-11-01", "2026-11-02"],
    ["over the year's end", "2026-12-31", "2026-12-30", "2026-12-31", "2027-01-01"],
    ["into a leap day", "2028-02-29", "2028-02-28", "2028-02-29", "2028-03-01"],
  ])("%s keep their time of day", (_, date, before, day, after) => {
    expect(timesFrom(TIMES, date)).toEqual({
      achieve_start_time: `${before} 00:00:00`,
      achieve_end_time: `${day} 23:59:59`,
      start_time: `${day} 20:00:00`,
      end_time: `${after} 02:00:00`,
    });
  });

  const days = fc
    .date({ min: new Date("1980-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

  test("are restored by copying back", () => {
    fc.assert(
      fc.property(days, days, (first, second) => {
        const there = timesFrom(timesFrom(TIMES, first), second);
        expect(there.start_time.slice(0, 10)).toBe(second);
        expect(timesFrom(there, TIMES.start_time)).toEqual(TIMES);
      }),
    );
  });

  test.each([
    ["both", { start_hour: "21:00:00", end_hour: "23:30:00" }, "27 21:00:00", "27 23:30:00"],
    ["the end alone", { end_hour: "01:00:00" }, "27 20:00:00", "28 01:00:00"],
    ["none", {}, "27 20:00:00", "28 02:00:00"],
  ])("take other hours: %s", (_, hours, start, end) => {
    expect(timesFrom(TIMES, "2026-11-27", hours)).toEqual({
      achieve_start_time: "2026-11-26 00:00:00",
      achieve_end_time: "2026-11-27 23:59:59",
      start_time: `2026-11-${start}`,
      end_time: `2026-11-${end}`,
    });
  });

  test("take the end of a condition window along that begins at midnight", () => {
    const achieve_start_time = "2026-11-20 00:00:00";
    const [start_time, end_time] = ["2026-11-20 20:00:00", "2026-11-20 22:00:00"];
    const times = { achieve_start_time, achieve_end_time: end_time, start_time, end_time };
    const hours = { start_hour: "21:00:00", end_hour: "23:00:00" };
    const moved = { start_time: "2026-11-20 21:00:00", end_time: "2026-11-20 23:00:00" };
    const achieve_end_time = moved.end_time;
    const expected = { ...moved, achieve_start_time, achieve_end_time };
    expect(timesFrom(times, "2026-11-20", hours)).toEqual(expected);
  });

  test("take the condition window along if it is their own, and end after they start", () => {
    const own = { start_time: "2026-11-20 20:00:00", end_time: "2026-11-20 22:00:00" };
    const times = { ...own, achieve_start_time: own.start_time, achieve_end_time: own.end_time };
    const moved = { start_time: "2026-11-30 23:00:00", end_time: "2026-12-01 22:00:00" };
    expect(timesFrom(times, "2026-11-30", { start_hour: "23:00:00" })).toEqual({
      ...moved,
      achieve_start_time: moved.start_time,
      achieve_end_time: moved.end_time,
    });
  });

  test("without a real day are refused", () => {
    expect(() => timesFrom(TIMES, "someday")).toThrow(RangeError);
  });
});

describe("the name of a copy", () => {
  test.each([
    ["周末池", [], "周末池 11-27"],
    ["周末池 11-20", [], "周末池 11-27"],
    ["周末池 11-20 (2)", [], "周末池 11-27"],
    ["周末池", ["周末池 11-27"], "周末池 11-27 (2)"],
    ["周末池 11-27", ["周末池 11-27", "周末池 11-27 (2)"], "周末池 11-27 (3)"],
    ["pool 1", [], "pool 1 11-27"],
    ["x".repeat(64), [], `${"x".repeat(58)} 11-27`],
    ["红".repeat(64), [`${"红".repeat(58)} 11-27`], `${"红".repeat(54)} 11-27 (2)`],
    ["🧧".repeat(32), [], `${"🧧".repeat(29)} 11-27`],
  ])("of %s beside %j is %s", (name, taken, expected) => {
    expect(copyName(name, "2026-11-27", new Set(taken))).toBe(expected);
  });

  test("is free, is not too long, and does not grow with every copy", () => {
    const names = fc.string({ minLength: 1, maxLength: NAME_LENGTH_MAX, unit: "grapheme" });
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 12 }), (name, copies) => {
        const taken = new Set<string>();
        let last = name;
        for (let made = 0; made <= copies; made += 1) {
          last = copyName(last, "2026-11-27", taken);
          expect(taken.has(last)).toBe(false);
          expect(last.length).toBeLessThanOrEqual(NAME_LENGTH_MAX);
          expect(/\p{Cs}/u.test(last)).toBe(/\p{Cs}/u.test(name));
          taken.add(last);
        }
      }),
    );
  });

  test("of a round is unchanged if it is free on that day", () => {
    expect(copiedRoundName("周末红包A", "2026-11-27", new Set())).toBe("周末红包A");
    expect(copiedRoundName("周末红包A", "2026-11-27", new Set(["周末红包A"]))).toBe(
      "周末红包A 11-27",
    );
  });
});
