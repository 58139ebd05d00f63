/** How releases without a tree hashed records and blocks: read once, before they are sealed anew. Pure. */
import { idBytes, sealedFacts, sha256 } from "./seal-chain.ts";
import type { SealEntries } from "./seal-chain.ts";
import type { SealFacts } from "./seal-sql.ts";
import type { SealForm } from "./verify-seals.ts";

/** A record's facts with the id of its player, and the whole list of exhausted prizes. */
function formerRecordHash(facts: SealFacts): Buffer {
  const { player_id: player, exhausted: exhausted_hash } = facts;
  // A value that is replaced keeps its place.
  const values = { ...sealedFacts(facts), player, exhausted_hash };
  return sha256(JSON.stringify(Object.values(values)));
}

/** Hash of the entries: 8 bytes of record id, 4 of round id (big-endian), and the record's hash for each. */
export function formerRoot({ log_ids, rounds_ids, hashes }: SealEntries): Buffer {
  const entries = log_ids.flatMap((log_id, at) => [
    idBytes(log_id, rounds_ids[at] ?? 0),
    hashes.subarray(at * 32, at * 32 + 32),
  ]);
  return sha256(Buffer.concat(entries));
}

export const FORMER: SealForm = {
  recordHash: formerRecordHash,
  entriesRoot: formerRoot,
  isRootKept: false,
};
