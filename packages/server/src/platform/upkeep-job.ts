/** Background work: a loop, and the chores of the rooms one after the other, at the start and then every hour. */
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { noteUpkeep } from "#platform/http/metrics";
import type { Logger } from "pino";

const EVERY_MS = 60 * 60_000;
/** Rows per transaction: few enough that nobody waits for it. */
const ROWS_AT_ONCE = 1_000;

export interface Chore {
  /** Logged when the chore changed something. */
  readonly done: string;
  /** Answers how many rows it changed, by kind. Ends early, without harm, once `signal` is aborted. */
  readonly run: (db: Db, signal: AbortSignal) => Promise<object>;
}

export interface Loop {
  /** Resolves when the last pass has ended. */
  stop(): Promise<void>;
}

/** Repeats `pass` until it is stopped, each time after the pause in ms that it answers. */
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

/** Any process may run the chores. A failed one is logged and tried again in an hour; the others go on. */
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

/** Repeats `portion` until it changes fewer rows than it may; answers how many it changed in all. */
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
