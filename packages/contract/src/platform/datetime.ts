/**
 * Converts between `yyyy-MM-dd HH:mm:ss` in the business time zone and an instant (behaviour §1). An end time
 * includes its whole second, so compare with `< end + 1 s`.
 */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/;

/** A date outside these years is a typing error or an attack. */
export const YEAR_MIN = 1970;
export const YEAR_MAX = 9998;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  let format = formatters.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-CA-u-hc-h23", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(timeZone, format);
  }
  return format;
}

function formatExactly(instant: Date, timeZone: string): string {
  const part: Record<string, string> = {};
  for (const { type, value } of formatter(timeZone).formatToParts(instant)) {
    part[type] = value;
  }
  const year = (part["year"] ?? "").padStart(4, "0");
  return `${year}-${part["month"]}-${part["day"]} ${part["hour"]}:${part["minute"]}:${part["second"]}`;
}

export const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;
const QUARTERS_MAX = 4_096;

/**
 * Caches the UTC offset in milliseconds for each quarter of an hour; null if the clocks change in that
 * quarter. Intl is slow, and the rows of a list or file have times close together.
 */
const offsets = new Map<string, number | null>();

function offsetIn(quarter: number, timeZone: string): number | null {
  const key = `${quarter} ${timeZone}`;
  const known = offsets.get(key);
  if (known !== undefined) {
    return known;
  }
  const ahead = (at: number) =>
    (readingOf(formatExactly(new Date(at), timeZone)) ?? Number.NaN) - at;
  const first = ahead(quarter * QUARTER_MS);
  const last = ahead((quarter + 1) * QUARTER_MS - 1_000);
  const offset = first === last ? first : null;
  if (offsets.size >= QUARTERS_MAX) {
    offsets.clear();
  }
  offsets.set(key, offset);
  return offset;
}

/** Formats an instant as local time `yyyy-MM-dd HH:mm:ss` of `timeZone`. */
export function formatDateTime(instant: Date, timeZone: string): string {
  const ms = instant.getTime();
  const offset = offsetIn(Math.floor(ms / QUARTER_MS), timeZone);
  if (offset === null) {
    return formatExactly(instant, timeZone);
  }
  return new Date(ms + offset).toISOString().slice(0, 19).replace("T", " ");
}

/** Returns the business day of an instant, `yyyy-MM-dd`. */
export function formatDate(instant: Date, timeZone: string): string {
  return formatDateTime(instant, timeZone).slice(0, 10);
}

/**
 * Reads the local time as if it were UTC and returns milliseconds. Returns null if the text is not a real
 * date and time.
 */
function readingOf(text: string): number | null {
  if (!DATE_TIME.test(text)) {
    return null;
  }
  const iso = `${text.replace(" ", "T")}.000Z`;
  const reading = Date.parse(iso);
  // Date.parse turns 31 April into 1 May, so formatting must give the same text again.
  return Number.isNaN(reading) || new Date(reading).toISOString() !== iso ? null : reading;
}

/** Like `readingOf`, but also returns null outside the allowed years. */
function givenReading(text: string): number | null {
  const year = Number(text.slice(0, 4));
  return year >= YEAR_MIN && year <= YEAR_MAX ? readingOf(text) : null;
}

/**
 * Returns the instant at which the clocks of `timeZone` show `text`; null if the text is not a real date and
 * time. A time that the clocks skip moves forward. For a time that occurs twice, the first instant counts.
 */
export function parseDateTime(text: string, timeZone: string): Date | null {
  return givenReading(text) === null ? null : instantOf(text, timeZone);
}

function instantOf(text: string, timeZone: string): Date {
  const reading = readingOf(text) ?? Number.NaN;
  const shownAt = (instant: number) =>
    readingOf(formatExactly(new Date(instant), timeZone)) ?? Number.NaN;
  const offsets = [reading - DAY_MS, reading + DAY_MS].map((at) => shownAt(at) - at);
  const candidates = offsets.map((offset) => reading - offset).toSorted((a, b) => a - b);
  const exact = candidates.find((at) => shownAt(at) === reading);
  return new Date(exact ?? candidates.at(-1) ?? Number.NaN);
}

export function isDate(text: string): boolean {
  return DATE.test(text) && givenReading(`${text} 00:00:00`) !== null;
}

export function isDateTime(text: string): boolean {
  return givenReading(text) !== null;
}

/** Returns true if the text is a real day, or day and time, outside the allowed years. */
export function isOutsideYears(text: string): boolean {
  const full = DATE.test(text) ? `${text} 00:00:00` : text;
  return readingOf(full) !== null && givenReading(full) === null;
}

/** Returns the first instant of a business day and of the next day. Throws RangeError if `date` is not a real day. */
export function dayBounds(date: string, timeZone: string): { start: Date; end: Date } {
  const start = parseDateTime(`${date} 00:00:00`, timeZone);
  const noon = givenReading(`${date} 12:00:00`);
  if (start === null || noon === null) {
    throw new RangeError(`no such day: ${date}`);
  }
  const next = new Date(noon + DAY_MS).toISOString().slice(0, 10);
  // YEAR_MAX does not apply here, because the last allowed day has a next day too.
  return { start, end: instantOf(`${next} 00:00:00`, timeZone) };
}

/** Formats an instant as RFC 3339 with the offset of `timeZone` and milliseconds (platform calls). */
export function formatRfc3339(instant: Date, timeZone: string): string {
  const ms = instant.getTime();
  const second = Math.floor(ms / 1000) * 1000;
  const ahead =
    offsetIn(Math.floor(ms / QUARTER_MS), timeZone) ??
    (readingOf(formatExactly(instant, timeZone)) ?? 0) - second;
  const offset = Math.round(ahead / 60_000);
  const sign = offset < 0 ? "-" : "+";
  const hours = String(Math.floor(Math.abs(offset) / 60)).padStart(2, "0");
  const minutes = String(Math.abs(offset) % 60).padStart(2, "0");
  return `${new Date(ms + ahead).toISOString().slice(0, 23)}${sign}${hours}:${minutes}`;
}

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Returns null if the text is not an RFC 3339 instant. */
export function parseRfc3339(text: string): Date | null {
  if (!RFC3339.test(text)) {
    return null;
  }
  const at = Date.parse(text);
  const year = Number(text.slice(0, 4));
  const day = Number(text.slice(8, 10));
  // Date.parse turns 31 April into 1 May and hour 24 into the first hour of the next day.
  const isReal =
    text.slice(11, 13) !== "24" &&
    (day <= 28 || day <= new Date(Date.UTC(year, Number(text.slice(5, 7)), 0)).getUTCDate());
  return Number.isNaN(at) || !isReal || year < YEAR_MIN || year > YEAR_MAX ? null : new Date(at);
}
