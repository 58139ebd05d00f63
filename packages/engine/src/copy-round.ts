/** Copies a round to another day (behaviour §3): moves its times and finds unused names. */
import { DAY_MS } from "@red/contract/platform/datetime";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";

function dayOf(date: string): number {
  const day = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day)) {
    throw new RangeError(`no such day: ${date}`);
  }
  return day;
}

/** The four times of a round, local `yyyy-MM-dd HH:mm:ss`. */
export interface RoundTimes {
  readonly achieve_start_time: string;
  readonly achieve_end_time: string;
  readonly start_time: string;
  readonly end_time: string;
}

/** New hours for a copy, `HH:mm:ss`. A missing hour stays as in the original. */
export interface RoundHours {
  readonly start_hour?: string | undefined;
  readonly end_hour?: string | undefined;
}

/**
 * Replaces the hours in the times. The end keeps its day, except for a round over midnight or an end that
 * would not be after the start: then the end is the first such hour after the start. A time of the condition
 * window that equals the round's start or end moves with it (behaviour §3).
 */
function withHours(times: RoundTimes, { start_hour, end_hour }: RoundHours): RoundTimes {
  if (start_hour === undefined && end_hour === undefined) {
    return times;
  }
  const start_time = `${times.start_time.slice(0, 11)}${start_hour ?? times.start_time.slice(11)}`;
  const hour = end_hour ?? times.end_time.slice(11);
  const isOverMidnight =
    dayOf(times.end_time) - dayOf(times.start_time) === DAY_MS &&
    times.end_time.slice(11) <= times.start_time.slice(11);
  const endDay = (isOverMidnight ? start_time : times.end_time).slice(0, 10);
  const nextDay = new Date(dayOf(start_time) + DAY_MS).toISOString().slice(0, 10);
  const end = `${endDay} ${hour}`;
  const end_time = end > start_time ? end : `${nextDay} ${hour}`;
  const { achieve_start_time, achieve_end_time } = times;
  return {
    achieve_start_time: achieve_start_time === times.start_time ? start_time : achieve_start_time,
    achieve_end_time: achieve_end_time === times.end_time ? end_time : achieve_end_time,
    start_time,
    end_time,
  };
}

/**
 * Moves the times by whole days, so that the round starts on `start_date`. Each time keeps its hour and its
 * distance in days; only `hours` can change this. Throws RangeError if a text is not a real day.
 */
export function timesFrom(
  times: RoundTimes,
  start_date: string,
  hours: RoundHours = {},
): RoundTimes {
  const shift = dayOf(start_date) - dayOf(times.start_time);
  const moved = (time: string) =>
    `${new Date(dayOf(time) + shift).toISOString().slice(0, 10)}${time.slice(10)}`;
  const onDay = {
    achieve_start_time: moved(times.achieve_start_time),
    achieve_end_time: moved(times.achieve_end_time),
    start_time: moved(times.start_time),
    end_time: moved(times.end_time),
  };
  return withHours(onDay, hours);
}

/** The day that an earlier copy added to the name, sometimes followed by a number. */
const COPIED = / \d{2}-\d{2}(?: \(\d+\))?$/;

function fitted(name: string, ending: string): string {
  let kept = "";
  // Counts code points, so that no surrogate pair is cut.
  for (const character of name) {
    if (kept.length + character.length + ending.length > NAME_LENGTH_MAX) {
      break;
    }
    kept += character;
  }
  return `${kept.trimEnd()}${ending}`;
}

/**
 * Returns the name for a copy of `name` on the day `date`, such as `周末池 11-27`. The day replaces the day of
 * an earlier copy. The name gets a number if it is taken, and never exceeds the maximum length.
 */
export function copyName(name: string, date: string, taken: ReadonlySet<string>): string {
  const base = name.replace(COPIED, "");
  const day = ` ${date.slice(5, 10)}`;
  let candidate = fitted(base, day);
  for (let number = 2; taken.has(candidate); number += 1) {
    candidate = fitted(base, `${day} (${number})`);
  }
  return candidate;
}

/** Returns the name of a copied round: the same name if it is unused on that day, otherwise the name of a copy. */
export function copiedRoundName(name: string, date: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? copyName(name, date, taken) : name;
}
