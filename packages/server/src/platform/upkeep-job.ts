/** Does the chores of the rooms one after the other, at the start and then every hour. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "./connection.ts";
import type { Logger } from "pino";

const EVERY_MS = 60 * 60_000;

export interface Chore {
  /** What the log says once something was done. */
  readonly done: string;
  /** Answers counts of what was done. Ends early, without harm, once `signal` is aborted. */
  readonly run: (db: Db, signal: AbortSignal) => Promise<object>;
}

export interface Maintenance {
  stop(): Promise<void>;
}

/** Any process may run it. A failure is logged and tried again in an hour, and holds up no other chore. */
export function startMaintenance(options: {
  readonly db: Db;
  readonly chores: readonly Chore[];
  readonly log: Pick<Logger, "info" | "warn">;
  readonly everyMs?: number;
}): Maintenance {
  const { db, chores, log, everyMs = EVERY_MS } = options;
  const stopped = new AbortController();
  const { signal } = stopped;

  async function doChore({ done, run }: Chore): Promise<void> {
    try {
      const counts = await run(db, signal);
      if (Object.values(counts).some((count) => count > 0)) {
        log.info(counts, done);
      }
    } catch (fault) {
      log.warn({ err: fault }, `not ${done}, trying again later`);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      for (const chore of chores) {
        await doChore(chore);
      }
      await sleep(everyMs, undefined, { signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
