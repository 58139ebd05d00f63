/** When a stock is used up and a queue is empty, if all goes on as lately (behaviour §14). Times in ms since 1970. */

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

/** How many waited, and when. */
export interface QueueSample {
  readonly at: number;
  readonly waiting: number;
}

/** If it goes on falling as from the first to the last sample, which must lie ten seconds apart; else null. */
export function drainsAt(samples: readonly QueueSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  return first === undefined || last === undefined || last.at - first.at < 10_000
    ? null
    : runsOutAt(
        last.waiting,
        { count: first.waiting - last.waiting, ms: last.at - first.at },
        last.at,
      );
}
