/** When a stock is used up and a queue is empty, if all goes on as lately (behaviour §15). Times in ms since 1970. */

/** So many in so many milliseconds. */
export interface Pace {
  readonly count: number;
  readonly ms: number;
}

/** To the next whole minute, so that it changes only when the pace does. Null: nothing left, no pace, or `end` is first. */
export function runsOutAt(left: number, pace: Pace, now: number, end = Infinity): number | null {
  const at = now + (left * pace.ms) / pace.count;
  const isSo = left > 0 && pace.count > 0 && pace.ms > 0 && at < end;
  return isSo ? Math.ceil(at / 60_000) * 60_000 : null;
}

/** If as many go on leaving as from the first sample to the last, which must lie ten seconds apart; else null. */
export function drainsAt(samples: readonly { at: number; waiting: number }[]): number | null {
  const last = samples.at(-1) ?? { at: 0, waiting: 0 };
  const first = samples[0] ?? last;
  const pace = { count: first.waiting - last.waiting, ms: last.at - first.at };
  return pace.ms < 10_000 ? null : runsOutAt(last.waiting, pace, last.at);
}

/** As many in an hour as `count` of the last minutes, or since the start where that is later; at least a minute. */
export function perHour(count: number, minutes: number, since_start_ms: number): number {
  const ms = Math.max(60_000, Math.min(minutes * 60_000, since_start_ms));
  return Math.round((count * 3_600_000) / ms);
}
