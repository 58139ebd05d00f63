/** Seals records as they are committed, and anchors the chain outside the database (behaviour §5). */
import { setTimeout as sleep } from "node:timers/promises";
import { sealRecords } from "./seal-records.ts";
import type { SealedBlock } from "./seal-records.ts";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { appendAnchor } from "./anchors.ts";
import type { Logger } from "pino";

/** Milliseconds. */
export interface SealerPace {
  /** Pause when no record waits. */
  readonly everyMs: number;
  /** Shortest time between two anchors, so that the file stays small. */
  readonly anchorEveryMs: number;
  /** How often the whole last hour is searched for late commits. */
  readonly thoroughEveryMs: number;
}

export const SEALER_PACE: SealerPace = {
  everyMs: 2_000,
  anchorEveryMs: 10_000,
  thoroughEveryMs: 600_000,
};

export interface Sealer {
  /** Anchors the end of the chain, then ends. */
  stop(): Promise<void>;
}

/** Any number of processes may run it; one seals at a time. */
export function startSealer(options: {
  readonly db: Db;
  readonly anchors: string;
  readonly log: Pick<Logger, "warn">;
  readonly pace?: SealerPace;
}): Sealer {
  const { db, anchors, log } = options;
  const pace = options.pace ?? SEALER_PACE;
  const stopped = new AbortController();
  let newest: SealedBlock | null = null;
  let anchoredAt = Number.NEGATIVE_INFINITY;
  let thoroughAt = Number.NEGATIVE_INFINITY;

  async function anchor(): Promise<void> {
    if (newest === null) {
      return;
    }
    const { no, hash } = newest;
    await appendAnchor(anchors, { no, hash: hash.toString("hex"), at: new Date().toISOString() });
    newest = null;
    anchoredAt = performance.now();
  }

  async function pass(): Promise<SealedBlock | null> {
    const isThorough = performance.now() - thoroughAt >= pace.thoroughEveryMs;
    const block = await inTransaction(db, (tx) => sealRecords(tx, isThorough));
    if (isThorough && block === null) {
      thoroughAt = performance.now();
    }
    newest = block ?? newest;
    if (performance.now() - anchoredAt >= pace.anchorEveryMs) {
      await anchor();
    }
    return block;
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      const block = await pass().catch((fault: unknown) => {
        log.warn({ err: fault }, "records not sealed, trying again");
        return null;
      });
      if (block === null) {
        await sleep(pace.everyMs, undefined, { signal: stopped.signal }).catch(() => {});
      }
    }
    await anchor().catch((fault: unknown) => log.warn({ err: fault }, "chain not anchored"));
  }

  const running = run();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
