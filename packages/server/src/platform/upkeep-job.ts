/** Clears old rows at the start and then every hour. */
import { setTimeout as sleep } from "node:timers/promises";
import { sweepSignIns } from "./sweep-sign-ins.ts";
import type { Db } from "#platform/connection";
import type { Logger } from "pino";

const EVERY_MS = 60 * 60_000;

export interface Maintenance {
  stop(): Promise<void>;
}

/** Any process may run it. A failure is logged and tried again in an hour. */
export function startMaintenance(options: {
  readonly db: Db;
  readonly log: Pick<Logger, "info" | "warn">;
  readonly everyMs?: number;
}): Maintenance {
  const { db, log, everyMs = EVERY_MS } = options;
  const stopped = new AbortController();
  const { signal } = stopped;

  async function sweep(): Promise<void> {
    try {
      const swept = await sweepSignIns(db, signal);
      if (Object.values(swept).some((rows) => rows > 0)) {
        log.info(swept, "sign-ins swept");
      }
    } catch (fault) {
      log.warn({ err: fault }, "sign-ins not swept, trying again later");
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await sweep();
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
