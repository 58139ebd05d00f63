/** Copying a round to another day (behaviour §3): its times, and names that are free. */
import { NAME_LENGTH_MAX } from "@red/contract/limits";

const DAY_MS = 86_400_000;

function dayOf(date: string): number {
  const day = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day)) {
    throw new RangeError(`no such day: ${date}`);
  }
  return day;
}

/** The four times of a round, `yyyy-MM-dd HH:mm:ss` on the business clocks. */
export interface RoundTimes {
  readonly achieve_start_time: string;
  readonly achieve_end_time: string;
  readonly start_time: string;
  readonly end_time: string;
}

/**
 * The times moved by whole days, so that the round starts on `start_date`: each keeps its time of day,
 * and all their distances in days. Throws RangeError on a text that is no day.
 */
export function timesFrom(times: RoundTimes, start_date: string): RoundTimes {
  const shift = dayOf(start_date) - dayOf(times.start_time);
  const moved = (time: string) =>
    `${new Date(dayOf(time) + shift).toISOString().slice(0, 10)}${time.slice(10)}`;
  return {
    achieve_start_time: moved(times.achieve_start_time),
    achieve_end_time: moved(times.achieve_end_time),
    start_time: moved(times.start_time),
    end_time: moved(times.end_time),
  };
}

/** Whole days between the starts of two such times. */
export function daysBetween(from: string, to: string): number {
  return Math.round((dayOf(to) - dayOf(from)) / DAY_MS);
}

/** A day, or a day and a number, that an earlier copy has put behind the name. */
const COPIED = / \d{2}-\d{2}(?: \(\d+\))?$/;

function fitted(name: string, ending: string): string {
  let kept = "";
  // By whole characters: half of one is none.
  for (const character of name) {
    if (kept.length + character.length + ending.length > NAME_LENGTH_MAX) {
      break;
    }
    kept += character;
  }
  return `${kept.trimEnd()}${ending}`;
}

/**
 * The name of a copy of `name` for the day `date`: `周末池 11-27`, in place of the day that an earlier
 * copy got, and numbered when that is taken. Never longer than a name may be.
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

/** The name of a copied round: as it was, or that of a copy where the day has one of that name. */
export function copiedRoundName(name: string, date: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? copyName(name, date, taken) : name;
}
