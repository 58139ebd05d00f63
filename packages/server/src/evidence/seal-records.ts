/** Seals committed records into blocks of the chain (behaviour §5). */
import { blockHash, CHAIN_START, entriesRoot, recordHash } from "./seal-chain.ts";
import type { Tx } from "#platform/connection";
import { insertSeal, lockChain, selectLastSeal, selectUnsealed } from "./seal-sql.ts";

/** Most records per block: limits what is read and locked at a time. */
const BLOCK_MAX = 2_000;

/** Records may commit so long after their time: ample, as the time-outs of a draw are minutes at most. */
export const LATE_MS = 60 * 60_000;

/** Look-back of an ordinary pass; a thorough one uses `LATE_MS`. */
const SOON_MS = 180_000;

export interface SealedBlock {
  readonly no: number;
  readonly hash: Buffer;
  readonly count: number;
}

/** Seals the oldest unsealed records, at most `limit`; null when there are none. */
export async function sealRecords(
  tx: Tx,
  isThorough: boolean,
  limit: number = BLOCK_MAX,
): Promise<SealedBlock | null> {
  await lockChain(tx);
  const last = await selectLastSeal(tx);
  const waiting = await selectUnsealed(tx, isThorough ? LATE_MS : SOON_MS, limit);
  if (waiting.length === 0) {
    return null;
  }
  const entries = {
    log_ids: waiting.map((facts) => facts.log_id),
    rounds_ids: waiting.map((facts) => facts.rounds_id),
    hashes: Buffer.concat(waiting.map(recordHash)),
  };
  const no = (last?.no ?? 0) + 1;
  const prev = last?.hash ?? CHAIN_START;
  const hash = blockHash(prev, no, entriesRoot(entries));
  await insertSeal(tx, { no, ...entries, prev, hash });
  return { no, hash, count: waiting.length };
}
