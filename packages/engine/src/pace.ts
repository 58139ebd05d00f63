/** When a stock is used up and when a queue is empty, if all goes on as lately (behaviour §14). Times in ms since 1970. */

/** So many in so many milliseconds. */
export interface Pace {
  readonly count: number;
  readonly ms: number;
}

/**
 * When `left` is used up at the pace, to the minute; null when nothing is left, at no pace, and when `end` comes first.
 */
export function runsOutAt(left: number, pace: Pace, now: number, end: number): number | null {
  if (left <= 0 || pace.count <= 0 || pace.ms <= 0) {
    return null;
  }
  const at = now + (left * pace.ms) / pace.count;
  return at < end ? toMinute(at) : null;
}

/** How many waited, and when. */
export interface QueueSample {
  readonly at: number;
  readonly waiting: number;
}

/** Shorter looks say nothing about a pace. */
const LOOK_MS = 10_000;

/**
 * When a queue is empty if it goes on falling as from the first to the last sample, to the minute. Null: it is empty or
 * does not fall, or the samples are less than ten seconds apart.
 */
export function drainsAt(samples: readonly QueueSample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < LOOK_MS) {
    return null;
  }
  const fallen = { count: first.waiting - last.waiting, ms: last.at - first.at };
  return runsOutAt(last.waiting, fallen, last.at, Infinity);
}

/** Up to the next whole minute, so that it changes only when the pace does. */
function toMinute(at: number): number {
  return Math.ceil(at / 60_000) * 60_000;
}
