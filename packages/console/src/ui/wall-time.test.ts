import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dayjs, followClock } from "./wall-time.ts";

const FORMAT = "YYYY-MM-DD HH:mm:ss";
const ZONES = ["America/New_York", "Europe/London", "Asia/Shanghai", "Pacific/Apia"];

describe.each(ZONES)("with the browser in %s", (zone) => {
  const before = process.env["TZ"];
  beforeAll(() => {
    process.env["TZ"] = zone;
  });
  afterAll(() => {
    process.env["TZ"] = before;
  });

  it("has that time zone", () => {
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
  });

  it("keeps every reading unchanged", () => {
    const seconds = fc.integer({ min: Date.UTC(2000, 0) / 1000, max: Date.UTC(2050, 0) / 1000 });
    fc.assert(
      fc.property(seconds, (at) => {
        const text = new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ");
        expect(dayjs(text).format(FORMAT)).toBe(text);
        // Pickers read typed text with this format.
        expect(dayjs(text, FORMAT, true).format(FORMAT)).toBe(text);
        expect(dayjs(dayjs(text)).add(1, "day").subtract(1, "day").format(FORMAT)).toBe(text);
      }),
    );
  });

  it("has all 24 hours on days when clocks change", () => {
    const start = dayjs("2026-03-08 00:00:00");
    const hours = Array.from({ length: 24 }, (_, hour) => start.hour(hour).format("HH"));
    expect(new Set(hours).size).toBe(24);
    expect(dayjs("2026-03-08").endOf("day").format(FORMAT)).toBe("2026-03-08 23:59:59");
    expect(dayjs("2026-11-02").diff(dayjs("2026-11-01"), "hour")).toBe(24);
  });

  it("takes now from the clock that it follows", () => {
    followClock(() => "2026-03-08 02:30:00");
    expect(dayjs().format(FORMAT)).toBe("2026-03-08 02:30:00");
  });
});
