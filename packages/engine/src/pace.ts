/** Estimates when a stock or a queue is empty at the recent rate (behaviour §15). Times are in ms since 1970. */

/** A rate: `count` in `ms` milliseconds. */
export interface Pace {
  readonly count: number;
  readonly ms: number;
}

/**
 * Returns the time rounded up to a whole minute, so that it changes only with the rate. Returns null if
 * nothing is left, if there is no rate, or if `end` is earlier.
 */
export function runsOutAt(left: number, pace: Pace, now: number, end = Infinity): number | null {
  const at = now + (left * pace.ms) / pace.count;
  const isSo = left > 0 && pace.count > 0 && pace.ms > 0 && at < end;
  return isSo ? Math.ceil(at / 60_000) * 60_000 : null;
}

/**
 * Returns the time at which the queue is empty, at the rate between the first and the last sample. Returns
 * null for samples of less than ten seconds.
 */
export function drainsAt(samples: readonly { at: number; waiting: number }[]): number | null {
  const last = samples.at(-1) ?? { at: 0, waiting: 0 };
  const first = samples[0] ?? last;
  const pace = { count: first.waiting - last.waiting, ms: last.at - first.at };
  return pace.ms < 10_000 ? null : runsOutAt(last.waiting, pace, last.at);
}

/**
 * Returns `count` as a number per hour. `count` belongs to the last `minutes`, or to the time since the start
 * if that is shorter.
 */
export function perHour(count: number, minutes: number, since_start_ms: number): number {
  const ms = Math.max(60_000, Math.min(minutes * 60_000, since_start_ms));
  return Math.round((count * 3_600_000) / ms);
}
