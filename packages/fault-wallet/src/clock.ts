/** The test wallet's clock, which a test moves on: an hour need not be waited for. */
import { setTimeout as sleep } from "node:timers/promises";

export interface FaultsClock {
  /** Milliseconds since 1970, ahead of the machine's by all leaps. */
  now(): number;
  /** Resolves when this clock shows `due`. */
  reach(due: number): Promise<void>;
  /** Moves it on, in milliseconds. */
  leap(ms: number): void;
}

/** A clock that goes with the machine's until it leaps. */
export function createFaultsClock(): FaultsClock {
  let ahead = 0;
  const sleepers = new Set<AbortController>();
  const now = () => Date.now() + ahead;
  return {
    now,
    async reach(due) {
      while (now() < due) {
        const woken = new AbortController();
        sleepers.add(woken);
        await sleep(due - now(), undefined, { signal: woken.signal }).catch(() => {});
        sleepers.delete(woken);
      }
    },
    leap(ms) {
      ahead += ms;
      for (const sleeper of sleepers) {
        sleeper.abort();
      }
    },
  };
}
