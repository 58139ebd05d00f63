/** Seals committed records into blocks of the chain (behaviour §5). */
import { inTransaction } from "#platform/connection";
import type { Db, Tx } from "#platform/connection";
import { blockHash, commitmentOf, entriesRoot, recordHash } from "./seal-chain.ts";
import {
  insertSeal,
  lockChain,
  selectChainStart,
  selectIsSealed,
  selectLastSeal,
  selectNewRecords,
  selectPastSpans,
  selectUnsealed,
  withSalts,
} from "./seal-sql.ts";
import type { SealFacts } from "./seal-sql.ts";

/** Most records per block: limits what is read and locked at a time. */
export const BLOCK_MAX = 2_000;

/** Records may commit so long after their time: ample, as the time-outs of a draw are minutes at most. */
export const LATE_MS = 60 * 60_000;

export interface SealedBlock {
  readonly no: number;
  readonly hash: Buffer;
  readonly count: number;
}

/**
 * Serializes sealing, and what changes under whom a record is sealed, until this transaction ends; answers the last block.
 * Throws while blocks of an earlier release stand.
 */
export async function lockTree(tx: Tx): ReturnType<typeof selectLastSeal> {
  await lockChain(tx);
  const last = await selectLastSeal(tx);
  if (last?.root === null) {
    throw new Error("records were sealed by an earlier release: run redctl reseal once");
  }
  return last;
}

/** The chain is locked, `last` its end; null without records. */
async function sealBlock(
  tx: Tx,
  last: Awaited<ReturnType<typeof lockTree>>,
  selected: readonly SealFacts[],
): Promise<SealedBlock | null> {
  if (selected.length === 0) {
    return null;
  }
  // These very records: selected again, there could be more, of players who have no salt yet.
  const records = await withSalts(tx, selected);
  const bare = records.find((facts) => commitmentOf(facts) === null);
  if (bare !== undefined) {
    throw new Error(`record ${bare.log_id} would be sealed without its player`);
  }
  const entries = {
    log_ids: records.map((facts) => facts.log_id),
    rounds_ids: records.map((facts) => facts.rounds_id),
    hashes: Buffer.concat(records.map(recordHash)),
  };
  const no = (last?.no ?? 0) + 1;
  const prev = last?.hash ?? (await selectChainStart(tx));
  const root = entriesRoot(entries);
  const hash = blockHash(prev, no, root);
  await insertSeal(tx, { no, ...entries, prev, root, hash });
  return { no, hash, count: records.length };
}

/**
 * Seals the oldest records above the newest sealed one, at most `limit`; null when there are none. Leaves out those of
 * the last `settleMs`: others with lower ids may be about to commit.
 */
export async function sealRecords(
  tx: Tx,
  settleMs: number,
  limit: number = BLOCK_MAX,
): Promise<SealedBlock | null> {
  return await sealBlock(tx, await lockTree(tx), await selectNewRecords(tx, settleMs, limit));
}

/**
 * Seals what was committed after newer records had been sealed, up to `lookBackMs` before the newest. Each block is
 * committed by itself; answers the last one, or null.
 */
export async function sealLateRecords(db: Db, lookBackMs: number): Promise<SealedBlock | null> {
  let newest: SealedBlock | null = null;
  for (const span of await selectPastSpans(db, lookBackMs)) {
    let isFull = !(await selectIsSealed(db, span));
    while (isFull) {
      const block = await inTransaction(db, async (tx) => {
        return await sealBlock(tx, await lockTree(tx), await selectUnsealed(tx, span, BLOCK_MAX));
      });
      newest = block ?? newest;
      isFull = block?.count === BLOCK_MAX;
    }
  }
  return newest;
}
