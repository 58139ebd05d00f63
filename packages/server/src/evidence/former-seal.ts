/** How releases without a tree hashed records and blocks: read once, before they are sealed anew. Pure. */
import { createHash } from "node:crypto";
import type { SealEntries } from "./seal-chain.ts";
import type { SealFacts } from "./seal-sql.ts";
import type { SealForm } from "./verify-seals.ts";

function sha256(bytes: Buffer | string): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** A record's facts with the id of its player. */
export function formerRecordHash(facts: SealFacts): Buffer {
  return sha256(
    JSON.stringify([
      facts.log_id,
      facts.rounds_id,
      facts.player_id,
      facts.draw_no,
      facts.prize_id,
      facts.award_name,
      facts.award_price_cents,
      facts.turnover,
      facts.rule_version,
      facts.rule_hash,
      facts.pool_id,
      facts.pool_version,
      facts.pool_hash,
      facts.ticket,
      facts.fallback_ticket,
      facts.exhausted,
      facts.extra_time_id,
      facts.created_at.toISOString(),
      facts.trans_sn,
    ]),
  );
}

/** Hash of the entries: 8 bytes of record id, 4 of round id (big-endian), and the record's hash for each. */
export function formerRoot({ log_ids, rounds_ids, hashes }: SealEntries): Buffer {
  const entries = log_ids.map((log_id, at) => {
    const ids = Buffer.alloc(12);
    ids.writeBigUInt64BE(BigInt(log_id));
    ids.writeUInt32BE(rounds_ids[at] ?? 0, 8);
    return Buffer.concat([ids, hashes.subarray(at * 32, at * 32 + 32)]);
  });
  return sha256(Buffer.concat(entries));
}

export const FORMER: SealForm = {
  recordHash: formerRecordHash,
  entriesRoot: formerRoot,
  isRootKept: false,
};
