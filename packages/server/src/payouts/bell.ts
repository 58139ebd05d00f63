/** Wakes one sleeper. A ring that comes while nobody sleeps is kept until the next sleep. */
export interface Bell {
  ring(): void;
  /** Forgets a ring that was kept. */
  clear(): void;
  /** Resolves at the next ring, at once when one was kept, and after `ms` at the latest. */
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
    async wait(ms) {
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
