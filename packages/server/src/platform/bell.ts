/** Wakes the loop of a background job. */

export interface Bell {
  /** A ring while the loop is busy is kept for its next wait. */
  ring(): void;
  clear(): void;
  /** Resolves at the next ring, at once when a ring was kept, after `ms` at the latest. */
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
