/** The test wallet's clock; a test can move it forward instead of waiting for an hour. */
import { setTimeout as sleep } from "node:timers/promises";

export interface FaultsClock {
  /** Milliseconds since 1970, ahead of the machine's clock by the sum of all leaps. */
  now(): number;
  /** Resolves when this clock reaches `due`. */
  reach(due: number): Promise<void>;
  leap(ms: number): void;
}

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
