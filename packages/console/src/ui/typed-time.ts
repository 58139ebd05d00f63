/**
 * Dates and times as they are typed. A day alone is completed by the time that its field offers (spec §9).
 * What cannot be read is a value too, an invalid one that knows its text: it stays in view and is refused
 * at its field, instead of being dropped.
 */
import { dayjs } from "./wall-time.ts";
import type { Dayjs } from "./wall-time.ts";

export const DATE = "YYYY-MM-DD";
export const DATE_TIME = "YYYY-MM-DD HH:mm:ss";

/** Default times of a start and an end (spec §9). */
export const DAY_START = "00:00:00";
export const DAY_END = "23:59:59";

/** A value that may be empty, and may be one that could not be read. */
export type TypedTime = Dayjs | null | undefined;

const TYPED =
  /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日|(\d{2})(\d{2}))(?:[\sT]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

const texts = new WeakMap<Dayjs, string>();

function two(digits: string): string {
  return digits.padStart(2, "0");
}

/**
 * The moment that a typed text means: `2026-11-22`, `2026/11/22` or `20261122`, with or without
 * `09:30` or `09:30:00` behind it, also in full-width characters. `fill` is the time of a day alone;
 * a field of days has none, and takes no time. Null when it cannot be read.
 */
export function readTime(text: string, fill?: string): Dayjs | null {
  const match = TYPED.exec(text.normalize("NFKC").trim());
  if (match === null) {
    return null;
  }
  const [year = "", , ...rest] = match.slice(1);
  const [month = "", day = ""] = rest.slice(0, 6).filter((part) => part !== undefined);
  const [hour, minute = "", second = "00"] = rest.slice(6);
  if (hour !== undefined && fill === undefined) {
    return null;
  }
  const time = hour === undefined ? (fill ?? DAY_START) : `${two(hour)}:${minute}:${second}`;
  const read = dayjs(`${year}-${two(month)}-${two(day)} ${time}`, DATE_TIME, true);
  return read.isValid() ? read : null;
}

/** A value for a text that cannot be read. */
export function unreadTime(text: string): Dayjs {
  const value = dayjs("", DATE_TIME, true);
  texts.set(value, text);
  return value;
}

/** The text that a value could not be read from. */
export function unreadOf(value: unknown): string | undefined {
  return dayjs.isDayjs(value) ? texts.get(value) : undefined;
}

/** The value, where it is a moment. */
export function momentOf(value: unknown): Dayjs | null {
  return dayjs.isDayjs(value) && value.isValid() ? value : null;
}
