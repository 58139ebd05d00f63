/** The hash chain of sealed records (behaviour §5). Pure. docs/security.md describes what is hashed. */
import { createHash } from "node:crypto";
import type { SealFacts } from "./seal-sql.ts";

/** Predecessor of the first block. */
export const CHAIN_START = Buffer.alloc(32);

const ENTRY_BYTES = 44;

function sha256(...parts: readonly (Buffer | string)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) {
    hash.update(part);
  }
  return hash.digest();
}

/** The hashed text of a record: a JSON array in this order, without blanks. */
export function sealedText(facts: SealFacts): string {
  return JSON.stringify([
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
  ]);
}

export function recordHash(facts: SealFacts): Buffer {
  return sha256(sealedText(facts));
}

export interface SealEntries {
  readonly log_ids: readonly number[];
  readonly rounds_ids: readonly number[];
  /** 32 bytes for each. */
  readonly hashes: Buffer;
}

/** Hash of the entries: for each 8 bytes of record id, 4 of round id (big-endian), and its hash. */
export function entriesRoot({ log_ids, rounds_ids, hashes }: SealEntries): Buffer {
  const bytes = Buffer.alloc(log_ids.length * ENTRY_BYTES);
  for (const [index, log_id] of log_ids.entries()) {
    const at = index * ENTRY_BYTES;
    bytes.writeBigUInt64BE(BigInt(log_id), at);
    bytes.writeUInt32BE(rounds_ids[index] ?? 0, at + 8);
    hashes.copy(bytes, at + 12, index * 32, index * 32 + 32);
  }
  return sha256(bytes);
}

/** Hash of the previous block's hash, the number (8 bytes) and the root. */
export function blockHash(prev: Buffer, no: number, root: Buffer): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(no));
  return sha256(prev, number, root);
}
