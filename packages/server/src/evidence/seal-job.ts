/** Seals committed records and audit rows, and anchors the chains outside the database (behaviour §5). */
import { BLOCK_MAX, LATE_MS, sealLateRecords, sealRecords } from "./seal-records.ts";
import type { SealedBlock } from "./seal-records.ts";
import type { SealedList } from "./seal-sql.ts";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { noteUpkeep } from "#platform/http/metrics";
import { startLoop } from "#platform/upkeep-job";
import type { Loop } from "#platform/upkeep-job";
import { appendAnchor } from "./anchors.ts";
import type { Logger } from "pino";

const SEALER_PACE = {
  /** Pause between two passes. */
  everyMs: 2_000,
  /** Age at which a record is sealed. At this age, records with lower ids have committed, except a few late records. */
  settleMs: 5_000,
  /** Minimum time between two anchors, so that the file stays small. */
  anchorEveryMs: 10_000,
  /** Interval at which the last minutes are searched for late commits. */
  lateEveryMs: 60_000,
  /** Interval at which the whole last hour is searched. */
  thoroughEveryMs: 600_000,
};
type SealerPace = Readonly<typeof SEALER_PACE>;

/** Time window of a usual search for late commits. */
const SOON_MS = 180_000;

/** Maximum number of blocks per pass, so that a long backlog does not slow down the draws. */
const PASS_BLOCKS = 10;

/**
 * Returns a function that searches for late commits when a search is due, seals them, and returns the last new block.
 */
function lookBack(db: Db, list: SealedList, pace: SealerPace): () => Promise<SealedBlock | null> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let thoroughAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    const isThorough = now - thoroughAt >= pace.thoroughEveryMs;
    if (!isThorough && now - lookedAt < pace.lateEveryMs) {
      return null;
    }
    const block = await sealLateRecords(db, isThorough ? LATE_MS : SOON_MS, list);
    lookedAt = now;
    thoroughAt = isThorough ? now : thoroughAt;
    return block;
  };
}

/**
 * Starts sealing. Any number of processes may run a sealer, but only one process seals at a time. `stop` anchors
 * the end of the chain.
 */
export function startSealer(options: {
  readonly db: Db;
  readonly list?: SealedList;
  readonly anchors: string;
  readonly log: Pick<Logger, "warn">;
  readonly pace?: SealerPace;
}): Loop {
  const { db, list = "draw_record", anchors, log, pace = SEALER_PACE } = options;
  const sealLate = lookBack(db, list, pace);
  noteUpkeep(`sealing ${list}`);
  let newest: SealedBlock | null = null;
  let anchoredAt = Number.NEGATIVE_INFINITY;

  async function anchor(): Promise<void> {
    if (newest === null) {
      return;
    }
    const { no, hash } = newest;
    await appendAnchor(anchors, { no, hash: hash.toString("hex"), at: new Date().toISOString() });
    newest = null;
    anchoredAt = performance.now();
  }

  /** Runs one pass. Returns whether more records wait. */
  async function pass(): Promise<boolean> {
    newest = (await sealLate()) ?? newest;
    let isFull = true;
    for (let blocks = 0; isFull && blocks < PASS_BLOCKS; blocks += 1) {
      const block = await inTransaction(db, (tx) =>
        sealRecords(tx, pace.settleMs, BLOCK_MAX, list),
      );
      newest = block ?? newest;
      isFull = block?.count === BLOCK_MAX;
    }
    if (performance.now() - anchoredAt >= pace.anchorEveryMs) {
      await anchor();
    }
    noteUpkeep(`sealing ${list}`);
    return isFull;
  }

  const sealing = startLoop(async () => {
    const begun = performance.now();
    const isBehind = await pass().catch((fault: unknown) => {
      log.warn({ err: fault, list }, "rows not sealed, trying again");
      return false;
    });
    // During a backlog the sealer works only half of the time.
    return isBehind ? performance.now() - begun : pace.everyMs;
  });
  return {
    async stop() {
      await sealing.stop();
      await anchor().catch((fault: unknown) => log.warn({ err: fault }, "chain not anchored"));
    },
  };
}
