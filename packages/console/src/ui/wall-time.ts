/**
 * Dates and times as business clocks show them, such as `2026-11-21 20:00:00`. In the browser's time zone such a time
 * may not exist (the hour skipped in spring) or may be shifted. So every value is in the UTC mode of the library, where
 * each time exists exactly once. "Now" is the time on the business clock, also for values that the pickers create
 * themselves.
 */
import dayjs from "dayjs";
import type { PluginFunc } from "dayjs";
import customParseFormat from "dayjs/plugin/customParseFormat";
import utc from "dayjs/plugin/utc";

export type { Dayjs } from "dayjs";

interface Parsing {
  date?: unknown;
  utc?: boolean;
  args?: unknown;
}
/* The method that plugins replace. The types of the library omit it. */
interface Parser {
  parse: (parsing: Parsing) => void;
}

let readClock: () => string = () => new Date().toISOString().slice(0, 19).replace("T", " ");

/** Sets the business clock. `read` returns the current time as `yyyy-MM-dd HH:mm:ss`. */
export function followClock(read: () => string): void {
  readClock = read;
}

const asReadings: PluginFunc = (_, Dayjs) => {
  const prototype = Dayjs.prototype as unknown as Parser;
  const { parse } = prototype;
  prototype.parse = function parseReading(parsing) {
    const date = parsing.date === undefined ? readClock() : parsing.date;
    parse.call(this, { ...parsing, date, utc: true });
  };
};

// The order matters: the `parse` of the last plugin runs first. The pickers extend the first plugin again, which has no
// effect.
dayjs.extend(customParseFormat);
dayjs.extend(utc);
dayjs.extend(asReadings);

export { dayjs };
