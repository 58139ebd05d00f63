/** Folds the deltas of rollups (rollup-sql.ts), so that readers have few to add. */
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import type { Logger } from "pino";
import { foldRollups } from "./rollup-sql.ts";

const EVERY_MS = 1_000;

export interface Folding {
  stop(): Promise<void>;
}

/** Any number of processes may run it; one folds at a time. A failure is logged and tried again. */
export function startFolding(options: {
  readonly db: Db;
  readonly log: Pick<Logger, "warn">;
}): Folding {
  const { db, log } = options;
  const stopped = new AbortController();
  const { signal } = stopped;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await inTransaction(db, foldRollups).catch((fault: unknown) => {
        log.warn({ err: fault }, "rollups not folded, trying again");
      });
      await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
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
