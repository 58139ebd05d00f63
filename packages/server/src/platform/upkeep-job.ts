/**
 * Runs background work in loops. The maintenance loop runs the chores of all rooms one after another, at start and then
 * every hour.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { noteUpkeep } from "#platform/http/metrics";
import type { Logger } from "pino";

const EVERY_MS = 60 * 60_000;
/** Maximum number of rows per transaction, so small that other transactions do not wait for it. */
const ROWS_AT_ONCE = 1_000;

export interface Chore {
  readonly done: string;
  /** Returns the number of changed rows by kind. Ends early, without harm, after `signal` is aborted. */
  readonly run: (db: Db, signal: AbortSignal) => Promise<object>;
}

export interface Loop {
  /** Resolves when the last pass has ended. */
  stop(): Promise<void>;
}

/** Repeats `pass` until the loop is stopped. Each pass returns the pause in ms before the next pass. */
export function startLoop(pass: (signal: AbortSignal) => Promise<number>): Loop {
  const stopped = new AbortController();
  const { signal } = stopped;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pause = await pass(signal);
      await sleep(pause, undefined, { signal }).catch(() => {});
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

/** Any process may run the chores. A failed chore is logged and runs again in an hour; the other chores continue. */
export function startMaintenance(options: {
  readonly db: Db;
  readonly chores: readonly Chore[];
  readonly log: Pick<Logger, "info" | "warn">;
  readonly everyMs?: number;
}): Loop {
  const { db, chores, log, everyMs = EVERY_MS } = options;
  noteUpkeep("maintenance");
  return startLoop(async (signal) => {
    let isDone = true;
    for (const { done, run } of chores) {
      try {
        const counts = await run(db, signal);
        if (Object.values(counts).some((count) => count > 0)) {
          log.info(counts, done);
        }
      } catch (fault) {
        isDone = false;
        log.warn({ err: fault }, `not ${done}, trying again later`);
      }
    }
    if (isDone) {
      noteUpkeep("maintenance");
    }
    return everyMs;
  });
}

/** Repeats `portion` until it changes fewer rows than its limit. Returns the total number of changed rows. */
export async function inPortions(
  db: Db,
  portion: (tx: Tx, limit: number) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let rows = 0;
  for (let last = ROWS_AT_ONCE; last === ROWS_AT_ONCE && !signal.aborted; rows += last) {
    last = await inTransaction(db, (tx) => portion(tx, ROWS_AT_ONCE));
  }
  return rows;
}
