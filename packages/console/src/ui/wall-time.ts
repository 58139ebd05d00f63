/**
 * Dates and times as the business clocks show them: readings such as `2026-11-21 20:00:00`, which
 * the browser's own time zone must never touch. There, a reading may not exist (the hour that is
 * skipped in spring) or be shifted. So every value of this console is kept in the library's UTC mode, in
 * which each reading exists once, and "now" is what the business clocks show: pickers that make
 * values of their own thereby do the same.
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
/* The part of the library that plugins replace; its types leave it out. */
interface Parser {
  parse: (parsing: Parsing) => void;
}

let readClock: () => string = () => new Date().toISOString().slice(0, 19).replace("T", " ");

/** Says where "now" is read, as `yyyy-MM-dd HH:mm:ss`. */
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

// In this order: whatever parses is given what the last one says. The pickers add the first one
// too, which does nothing the second time.
dayjs.extend(customParseFormat);
dayjs.extend(utc);
dayjs.extend(asReadings);

export { dayjs };
