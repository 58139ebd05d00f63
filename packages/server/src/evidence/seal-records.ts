/** Seals committed records and audit rows into blocks of their chains (behaviour §5, §9). */
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { blockHash, entriesRoot, recordHash } from "./seal-chain.ts";
import {
  insertSeal,
  lockChain,
  newRows,
  selectAuditLeaves,
  selectChainEnd,
  selectIsSealed,
  selectPastSpans,
  selectWithSalts,
  unsealedRows,
} from "./seal-sql.ts";
import type { SealedList, SealLeaf, SealPage } from "./seal-sql.ts";

/** Maximum number of records per block, so that a transaction stays short. */
export const BLOCK_MAX = 2_000;

/** Maximum time between a record's timestamp and its commit. A draw times out after minutes, so one hour is enough. */
export const LATE_MS = 60 * 60_000;

export interface SealedBlock {
  readonly no: number;
  readonly hash: Buffer;
  readonly count: number;
}

async function leavesOf(tx: Tx, page: SealPage): Promise<SealLeaf[]> {
  const records = await selectWithSalts(tx, page);
  return records.map((facts) => ({
    id: facts.log_id,
    rounds_id: facts.rounds_id,
    hash: recordHash(facts),
  }));
}

const LEAVES = { draw_record: leavesOf, audit_log: selectAuditLeaves } as const;

/** Seals the rows of `page` as one block. Returns null if there are no rows. */
async function sealBlock(tx: Tx, list: SealedList, page: SealPage): Promise<SealedBlock | null> {
  await lockChain(tx, list);
  const last = await selectChainEnd(tx, list);
  const leaves = await LEAVES[list](tx, page);
  if (leaves.length === 0) {
    return null;
  }
  const entries = {
    log_ids: leaves.map(({ id }) => id),
    rounds_ids: leaves.map(({ rounds_id }) => rounds_id),
    hashes: Buffer.concat(leaves.map((leaf) => leaf.hash)),
  };
  const no = last.no + 1;
  const root = entriesRoot(entries);
  const hash = blockHash(last.hash, no, root);
  await insertSeal(tx, list, { no, ...entries, prev: last.hash, root, hash });
  return { no, hash, count: leaves.length };
}

/**
 * Seals the oldest rows above the newest sealed row, at most `limit`; returns null if there are no such rows.
 * Rows of the last `settleMs` are left out, because rows with lower ids may still commit.
 */
export async function sealRecords(
  tx: Tx,
  settleMs: number,
  limit: number = BLOCK_MAX,
  list: SealedList = "draw_record",
): Promise<SealedBlock | null> {
  return await sealBlock(tx, list, newRows(list, settleMs, limit));
}

/**
 * Seals rows that were committed after newer rows had been sealed, up to `lookBackMs` before the newest sealed
 * row. Each block has its own transaction. Returns the last block, or null.
 */
export async function sealLateRecords(
  db: Db,
  lookBackMs: number,
  list: SealedList = "draw_record",
): Promise<SealedBlock | null> {
  let newest: SealedBlock | null = null;
  for (const span of await selectPastSpans(db, list, lookBackMs)) {
    let isFull = !(await selectIsSealed(db, list, span));
    while (isFull) {
      const block = await inTransaction(db, (tx) =>
        sealBlock(tx, list, unsealedRows(list, span, BLOCK_MAX)),
      );
      newest = block ?? newest;
      isFull = block?.count === BLOCK_MAX;
    }
  }
  return newest;
}
