/**
 * Dates and times as business clocks show them, such as `2026-11-21 20:00:00`. In the browser's time zone such a reading may
 * not exist (the hour skipped in spring) or be shifted. So every value is kept in the library's UTC mode, in which each
 * reading exists once, and "now" is the reading of the business clock, also for values that pickers make themselves.
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
/* The method that plugins replace; the library's types omit it. */
interface Parser {
  parse: (parsing: Parsing) => void;
}

let readClock: () => string = () => new Date().toISOString().slice(0, 19).replace("T", " ");

/** Sets the clock: `read` returns now as `yyyy-MM-dd HH:mm:ss`. */
export function followClock(read: () => string): void {
  readClock = read;
}

const asReadings: PluginFunc = (_, Dayjs) => {
  // The class has this method; see `Parser`.
  const prototype = Dayjs.prototype as unknown as Parser;
  const { parse } = prototype;
  prototype.parse = function parseReading(parsing) {
    const date = parsing.date === undefined ? readClock() : parsing.date;
    parse.call(this, { ...parsing, date, utc: true });
  };
};

// In this order: the last plugin's `parse` runs first. The pickers extend the first one again, which does nothing.
dayjs.extend(customParseFormat);
dayjs.extend(utc);
dayjs.extend(asReadings);

export { dayjs };
