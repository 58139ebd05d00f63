/** Wakes the loop of a background job. */

export interface Bell {
  /** Ends the current wait. If the loop is busy, the ring ends its next wait at once. */
  ring(): void;
  clear(): void;
  /** Resolves at the next ring, or after `ms` at the latest. Resolves at once if an earlier ring is kept. */
  wait(ms: number): Promise<void>;
}

export function createBell(): Bell {
  let isKept = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      isKept = true;
      wake?.();
    },
    clear() {
      isKept = false;
    },
    async wait(ms: number) {
      if (isKept) {
        return;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = null;
    },
  };
}
