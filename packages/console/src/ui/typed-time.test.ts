import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  DATE_TIME,
  DAY_END,
  DAY_START,
  momentOf,
  readTime,
  unreadOf,
  unreadTime,
} from "./typed-time.ts";
import { dayjs, followClock } from "./wall-time.ts";

describe("a typed time", () => {
  test.each([
    ["2026-11-22 09:30:15", "2026-11-22 09:30:15"],
    ["2026-11-22 09:30", "2026-11-22 09:30:00"],
    ["2026-11-22T9:30", "2026-11-22 09:30:00"],
    ["2026/11/22 09:30:15", "2026-11-22 09:30:15"],
    ["20261122 09:30", "2026-11-22 09:30:00"],
    ["2026-11-22", "2026-11-22 23:59:59"],
    ["2026/1/2", "2026-01-02 23:59:59"],
    ["2026.11.22", "2026-11-22 23:59:59"],
    ["2026年1月2日", "2026-01-02 23:59:59"],
    [" 20261122 ", "2026-11-22 23:59:59"],
    ["２０２６－１１－２２　０９：３０", "2026-11-22 09:30:00"],
  ])("%s is read as %s", (text, read) => {
    expect(readTime(text, DAY_END)?.format(DATE_TIME)).toBe(read);
  });

  test.each([
    "",
    "abc",
    "2026-11",
    "26-11-22",
    "2026-11/22",
    "2026-02-30",
    "2026-13-01",
    "2026-11-22 24:00:00",
    "2026-11-22 09:60",
    "2026-11-22 09",
    "2026-11-22 09:30:15.5",
    "2026-11-012026-11-20",
    "22/11/2026",
  ])("%s cannot be read", (text) => {
    expect(readTime(text, DAY_START)).toBeNull();
  });

  test.each([
    ["20:00", "2026-12-20 20:00:00"],
    ["9:05:30", "2026-12-20 09:05:30"],
    ["11-24 20:00", "2026-11-24 20:00:00"],
    ["11/24", "2026-11-24 23:59:59"],
    ["1月2日 8:00", "2027-01-02 08:00:00"],
    ["１２－３１", "2026-12-31 23:59:59"],
  ])("%s in short is read as %s", (text, read) => {
    followClock(() => "2026-12-20 21:00:00");
    expect(readTime(text, DAY_END)?.format(DATE_TIME)).toBe(read);
  });

  test.each([
    ["22:00", "2026-11-28 22:00:00"],
    ["20:00", "2026-11-28 20:00:00"],
    ["1:00", "2026-11-29 01:00:00"],
    ["11-30 1:00", "2026-11-30 01:00:00"],
  ])("%s as an end follows its start: %s", (text, read) => {
    const start = dayjs("2026-11-28 20:00:00");
    expect(readTime(text, DAY_END, start)?.format(DATE_TIME)).toBe(read);
  });

  it("is read in every notation", () => {
    const seconds = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2050, 0) / 1000 });
    fc.assert(
      fc.property(seconds, fc.constantFrom("-", "/", "."), (at, mark) => {
        const text = new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ");
        expect(readTime(text.replaceAll("-", mark), DAY_END)?.format(DATE_TIME)).toBe(text);
      }),
    );
  });
});

it("is refused where a day is wanted, instead of shortened to a day", () => {
  expect(readTime("20261122")?.format(DATE_TIME)).toBe("2026-11-22 00:00:00");
  expect(readTime("2026-11-22 09:30")).toBeNull();
});

it("keeps the text of an unreadable value, which is not a moment", () => {
  const value = unreadTime("abc");
  expect(unreadOf(value)).toBe("abc");
  expect(momentOf(value)).toBeNull();
  expect(unreadOf(dayjs("2026-11-22"))).toBeUndefined();
  expect(momentOf(dayjs("2026-11-22"))?.format(DATE_TIME)).toBe("2026-11-22 00:00:00");
  expect(momentOf(null)).toBeNull();
});
