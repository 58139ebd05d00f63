/** When a stock is used up or a queue is empty at the recent pace (behaviour §15). Times in ms since 1970. */

/** `count` in `ms` milliseconds. */
export interface Pace {
  readonly count: number;
  readonly ms: number;
}

/** Rounded up to a whole minute, so that it only changes with the pace. Null: nothing left, no pace, or `end` is earlier. */
export function runsOutAt(left: number, pace: Pace, now: number, end = Infinity): number | null {
  const at = now + (left * pace.ms) / pace.count;
  const isSo = left > 0 && pace.count > 0 && pace.ms > 0 && at < end;
  return isSo ? Math.ceil(at / 60_000) * 60_000 : null;
}

/** When the queue is empty at the pace from the first sample to the last; null for samples of less than ten seconds. */
export function drainsAt(samples: readonly { at: number; waiting: number }[]): number | null {
  const last = samples.at(-1) ?? { at: 0, waiting: 0 };
  const first = samples[0] ?? last;
  const pace = { count: first.waiting - last.waiting, ms: last.at - first.at };
  return pace.ms < 10_000 ? null : runsOutAt(last.waiting, pace, last.at);
}

/** `count` of the last `minutes`, or of the time since the start if that is shorter, as a number per hour. */
export function perHour(count: number, minutes: number, since_start_ms: number): number {
  const ms = Math.max(60_000, Math.min(minutes * 60_000, since_start_ms));
  return Math.round((count * 3_600_000) / ms);
}
