/**
 * Reads typed dates and times. A day alone gets the default time of its field (spec §9). An unreadable text becomes an
 * invalid value that keeps the text, so that the field shows the text with an error.
 */
import { dayjs } from "./wall-time.ts";
import type { Dayjs } from "./wall-time.ts";

export const DATE = "YYYY-MM-DD";
export const DATE_TIME = "YYYY-MM-DD HH:mm:ss";

/** Default times of start and end (spec §9). */
export const DAY_START = "00:00:00";
export const DAY_END = "23:59:59";

export type TypedTime = Dayjs | null | undefined;

const TYPED =
  /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日|(\d{2})(\d{2}))(?:[\sT]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** Matches `11-24`, `11/24` or `11月24日`, then `20:00` or `20:00:30`. Either part may be missing. */
const SHORT =
  /^(?:(\d{1,2})(?:[-/.](\d{1,2})|月(\d{1,2})日))?(?:(?:^|[\sT]+)(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

const texts = new WeakMap<Dayjs, string>();

function two(digits: string): string {
  return digits.padStart(2, "0");
}

/**
 * Completes a short text. A date gets the year that brings it nearest to today. A time gets today, or the first day on
 * which it is not before `after`. Today is the business day. Returns null if the text is not short.
 */
function completed(text: string, after: Dayjs | null): string | null {
  const [, month, dotted, named, hour, minute = "", second = "00"] = SHORT.exec(text) ?? [];
  const time = hour === undefined ? "" : ` ${two(hour)}:${minute}:${second}`;
  const today = dayjs();
  if (month === undefined) {
    const day = after ?? today;
    const isNext = after !== null && time < ` ${after.format("HH:mm:ss")}`;
    return time === "" ? null : `${day.add(Number(isNext), "day").format(DATE)}${time}`;
  }
  const ofYear = (year: number) => `${year}-${two(month)}-${two(dotted ?? named ?? "")}`;
  const year = today.year();
  const distance = (one: number) => Math.abs(dayjs(ofYear(one)).diff(today));
  const nearest = [year - 1, year, year + 1].toSorted((a, b) => distance(a) - distance(b))[0];
  return `${ofYear(nearest ?? year)}${time}`;
}

/**
 * Reads `2026-11-22`, `2026/11/22` or `20261122`, optionally with `09:30` or `09:30:00`. Also reads the short forms
 * `11-22 20:00`, `11-22` and `20:00`, and full-width characters. A day alone gets the time `fill`; without `fill` a
 * text with a time is unreadable. A time alone is the first such time that is not before `after`. Returns null if the
 * text is unreadable.
 */
export function readTime(text: string, fill?: string, after: Dayjs | null = null): Dayjs | null {
  const plain = text.normalize("NFKC").trim();
  const match = TYPED.exec(completed(plain, after) ?? plain);
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

/** Returns an invalid value that keeps the text. */
export function unreadTime(text: string): Dayjs {
  const value = dayjs("", DATE_TIME, true);
  texts.set(value, text);
  return value;
}

/** Returns the unreadable text that the value keeps. */
export function unreadOf(value: unknown): string | undefined {
  return dayjs.isDayjs(value) ? texts.get(value) : undefined;
}

/** Returns the value if it is a valid moment, else null. */
export function momentOf(value: unknown): Dayjs | null {
  return dayjs.isDayjs(value) && value.isValid() ? value : null;
}
