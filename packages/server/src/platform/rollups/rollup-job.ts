/** Folds the deltas of rollups (rollup-sql.ts), so that readers have few deltas to add. */
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { noteUpkeep } from "#platform/http/metrics";
import { startLoop } from "#platform/upkeep-job";
import type { Loop } from "#platform/upkeep-job";
import type { Logger } from "pino";
import { foldRollups } from "./rollup-sql.ts";

const EVERY_MS = 1_000;

/** Any number of processes may run this loop, but only one folds at a time. A failed fold is logged and tried again. */
export function startFolding(options: {
  readonly db: Db;
  readonly log: Pick<Logger, "warn">;
}): Loop {
  const { db, log } = options;
  noteUpkeep("folding");
  return startLoop(async () => {
    await inTransaction(db, foldRollups).then(
      () => noteUpkeep("folding"),
      (fault: unknown) => log.warn({ err: fault }, "rollups not folded, trying again"),
    );
    return EVERY_MS;
  });
}
