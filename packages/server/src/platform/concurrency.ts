import { AppError } from "@red/contract/platform/errors";

/**
 * Runs at most `atOnce` calls at a time; other calls wait in the order of their arrival. Throws `refusal` if
 * `waitingMax` calls are waiting already.
 */
export function limitConcurrency(
  atOnce: number,
  waitingMax = Number.POSITIVE_INFINITY,
  refusal = () => new AppError("overloaded", { seconds: 1 }),
): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  return async (work) => {
    if (free > 0) {
      free -= 1;
    } else if (waiting.length >= waitingMax) {
      throw refusal();
    } else {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) {
        free += 1;
      } else {
        next();
      }
    }
  };
}
