/** Seals records and the audit log as they are committed, and anchors the chains outside the database (behaviour §5). */
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
  /** Age at which a record is sealed. By then records with lower ids have committed, except a few late ones. */
  settleMs: 5_000,
  /** Shortest time between two anchors, so that the file stays small. */
  anchorEveryMs: 10_000,
  /** How often the last minutes are searched for late commits. */
  lateEveryMs: 60_000,
  /** How often the whole last hour is searched. */
  thoroughEveryMs: 600_000,
};
type SealerPace = Readonly<typeof SEALER_PACE>;

/** How far back a usual search for late commits looks. */
const SOON_MS = 180_000;

/** Most blocks per pass, so that a long backlog does not take the database from the draws. */
const PASS_BLOCKS = 10;

/** Returns a function that seals late commits when a search is due, and returns the last new block. */
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

/** Starts sealing. Any number of processes may run it; one seals at a time. `stop` anchors the end of the chain. */
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

  /** Returns whether more records wait. */
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
    // With a backlog it works half of the time.
    return isBehind ? performance.now() - begun : pace.everyMs;
  });
  return {
    async stop() {
      await sealing.stop();
      await anchor().catch((fault: unknown) => log.warn({ err: fault }, "chain not anchored"));
    },
  };
}
