import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  dayBounds,
  formatDate,
  formatDateTime,
  formatRfc3339,
  isDate,
  isDateTime,
  parseDateTime,
  parseRfc3339,
} from "./datetime.ts";

const SHANGHAI = "Asia/Shanghai";

describe("business time", () => {
  test("an instant is formatted in the local time of the zone", () => {
    const instant = new Date("2026-11-20T12:00:01.999Z");
    expect(formatDateTime(instant, SHANGHAI)).toBe("2026-11-20 20:00:01");
    expect(formatDate(new Date("2026-11-20T16:00:00Z"), SHANGHAI)).toBe("2026-11-21");
  });

  test.each([SHANGHAI, "UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"])(
    "every second comes back from its text in %s, but for the hour shown twice",
    (zone) => {
      fc.assert(
        fc.property(fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }), (second) => {
          const instant = new Date(second * 1000);
          const text = formatDateTime(instant, zone);
          const back = parseDateTime(text, zone);
          expect(back).not.toBeNull();
          expect(formatDateTime(back ?? instant, zone)).toBe(text);
          expect((back ?? instant).getTime()).toBeLessThanOrEqual(instant.getTime());
        }),
      );
    },
  );

  test.each([
    [SHANGHAI, "2026-11-20T00:00:00Z"],
    ["America/New_York", "2026-03-08T07:00:00Z"],
    ["America/New_York", "2026-11-01T06:00:00Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
    // The zone's offset changed by 44 minutes and 30 seconds, in the middle of a UTC minute.
    ["Africa/Monrovia", "1972-01-07T00:44:30Z"],
  ])("the clocks of %s are shown right to the second around %s", (zone, around) => {
    const slow = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "medium",
    });
    for (let second = -4_000; second <= 4_000; second += 1) {
      const instant = new Date(Date.parse(around) + second * 1000 + 999);
      expect(formatDateTime(instant, zone)).toBe(slow.format(instant));
    }
  });

  test("an invalid instant has no text", () => {
    expect(() => formatDateTime(new Date(Number.NaN), SHANGHAI)).toThrow(RangeError);
  });

  test("a local time that the clocks skip moves forward", () => {
    const skipped = parseDateTime("2026-03-08 02:30:00", "America/New_York");
    expect(skipped?.toISOString()).toBe("2026-03-08T07:30:00.000Z");
  });

  test("a local time that occurs twice means the first", () => {
    const twice = parseDateTime("2026-11-01 01:30:00", "America/New_York");
    expect(twice?.toISOString()).toBe("2026-11-01T05:30:00.000Z");
  });

  test.each([
    "2026-02-29 00:00:00",
    "2026-04-31 00:00:00",
    "2026-11-20 24:00:00",
    "2026-11-20 23:59:60",
    "2026-11-20T00:00:00",
    "2026-11-20",
    "0000-01-01 00:00:00",
    "9999-12-31 00:00:00",
    "2026-1-2 00:00:00",
    "",
  ])("%j is no date and time", (text) => {
    expect(isDateTime(text)).toBe(false);
    expect(parseDateTime(text, SHANGHAI)).toBeNull();
  });

  test("leap days are days", () => {
    expect(isDate("2024-02-29")).toBe(true);
    expect(isDate("2000-02-29")).toBe(true);
    expect(isDate("2100-02-29")).toBe(false);
  });

  test("the first and the last allowed day have a start and an end", () => {
    expect(parseDateTime("1970-01-01 00:00:00", "UTC")?.getTime()).toBe(0);
    expect(parseDateTime("1970-01-01 00:00:00", SHANGHAI)?.getTime()).toBe(-28_800_000);
    expect(dayBounds("9998-12-31", SHANGHAI).end.toISOString()).toBe("9998-12-31T16:00:00.000Z");
  });

  test("a day on which the clocks change is shorter or longer", () => {
    const hours = (date: string) => {
      const { start, end } = dayBounds(date, "America/New_York");
      return (end.getTime() - start.getTime()) / 3_600_000;
    };
    expect(hours("2026-03-08")).toBe(23);
    expect(hours("2026-11-01")).toBe(25);
    expect(hours("2026-11-20")).toBe(24);
    expect(() => dayBounds("2026-02-30", SHANGHAI)).toThrow(RangeError);
  });
});

describe("RFC 3339", () => {
  test("carries the offset of the zone and the milliseconds", () => {
    const instant = new Date("2026-11-20T12:00:01.123Z");
    expect(formatRfc3339(instant, SHANGHAI)).toBe("2026-11-20T20:00:01.123+08:00");
    expect(formatRfc3339(instant, "America/New_York")).toBe("2026-11-20T07:00:01.123-05:00");
    expect(formatRfc3339(instant, "Asia/Kathmandu")).toBe("2026-11-20T17:45:01.123+05:45");
  });

  test("every instant survives formatting and parsing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (ms) => {
        const text = formatRfc3339(new Date(ms), "Australia/Lord_Howe");
        expect(parseRfc3339(text)?.getTime()).toBe(ms);
      }),
    );
  });

  test.each([
    "2026-11-20",
    "2026-11-20 20:00:00",
    "2026-11-20T20:00:00",
    "2026-02-30T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "yesterday",
    "",
  ])("%j is no instant", (text) => {
    expect(parseRfc3339(text)).toBeNull();
  });
});
