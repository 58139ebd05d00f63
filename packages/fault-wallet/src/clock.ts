/** The test wallet's clock; a test can move it forward instead of waiting for an hour. */
import { setTimeout as sleep } from "node:timers/promises";

export function createFaultsClock() {
  let ahead = 0;
  const sleepers = new Set<AbortController>();
  /** Milliseconds since 1970, ahead of the machine's clock by the sum of all leaps. */
  const now = () => Date.now() + ahead;
  return {
    now,
    /** Resolves when this clock reaches `due`. */
    async reach(due: number) {
      while (now() < due) {
        const woken = new AbortController();
        sleepers.add(woken);
        await sleep(due - now(), undefined, { signal: woken.signal }).catch(() => {});
        sleepers.delete(woken);
      }
    },
    leap(ms: number) {
      ahead += ms;
      for (const sleeper of sleepers) {
        sleeper.abort();
      }
    },
  };
}

export type FaultsClock = ReturnType<typeof createFaultsClock>;
