/** The hash chain of sealed records (behaviour §5). Pure. docs/security.md describes what is hashed. */
import { createHmac, hash } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "#platform/db/schema";

/** A record with everything that is sealed: its columns, and facts from other tables. */
export interface SealFacts extends Readonly<
  Omit<Selectable<Database["draw_record"]>, "id" | "player_key">
> {
  readonly log_id: number;
  readonly player_id: string;
  /** The player's salt. Null before the player's first record is sealed, and after the player is erased. */
  readonly salt: Buffer | null;
  readonly erased_commitment: Buffer | null;
  /**
   * SHA-256 (hex) of the stored text of the rule version; null if the version is missing. `pool_hash` is the same
   * for the pool version.
   */
  readonly rule_hash: string | null;
  readonly pool_hash: string | null;
  readonly trans_sn: string | null;
}

export interface Seal {
  readonly no: number;
  readonly log_ids: readonly number[];
  readonly rounds_ids: readonly number[];
  /** The hashes of all records in the block, 32 bytes per record. */
  readonly hashes: Buffer;
  readonly prev: Buffer;
  readonly root: Buffer;
  readonly hash: Buffer;
}

/** Hash in place of a previous block, for the first block. */
export const CHAIN_START = Buffer.alloc(32);

const HASH_BYTES = 32;
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

export function sha256(...parts: readonly (Buffer | string)[]): Buffer {
  const bytes = parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part));
  return hash("sha256", Buffer.concat(bytes), "buffer");
}

/**
 * Returns the salt of a player in one round. Anyone who has this salt can link only the player's records of that round.
 */
export function roundSalt(salt: Buffer, rounds_id: number): Buffer {
  return createHmac("sha256", salt).update(String(rounds_id)).digest();
}

/**
 * Returns a hash that replaces the player in sealed facts. Only someone with salt and `player_id` can tell which
 * player it is.
 */
export function commitment(round_salt: Buffer, player_id: string): Buffer {
  return sha256(round_salt, player_id);
}

/** Returns the commitment of a record's player, or null without a salt. */
export function commitmentOf(facts: SealFacts): Buffer | null {
  if (facts.erased_commitment !== null || facts.salt === null) {
    return facts.erased_commitment;
  }
  return commitment(roundSalt(facts.salt, facts.rounds_id), facts.player_id);
}

/** Returns the sealed facts of a record. The order of the fields is fixed, and `player` is the commitment as hex. */
export function sealedFacts(facts: SealFacts) {
  return {
    log_id: facts.log_id,
    rounds_id: facts.rounds_id,
    player: commitmentOf(facts)?.toString("hex") ?? null,
    draw_no: facts.draw_no,
    prize_id: facts.prize_id,
    award_name: facts.award_name,
    award_price_cents: facts.award_price_cents,
    turnover: facts.turnover,
    rule_version: facts.rule_version,
    rule_hash: facts.rule_hash,
    pool_id: facts.pool_id,
    pool_version: facts.pool_version,
    pool_hash: facts.pool_hash,
    ticket: facts.ticket,
    fallback_ticket: facts.fallback_ticket,
    /** A hash, because the list may be as long as the pool, and a proof of one record must stay short. */
    exhausted_hash: sha256(JSON.stringify(facts.exhausted)).toString("hex"),
    extra_time_id: facts.extra_time_id,
    created_at: facts.created_at.toISOString(),
    trans_sn: facts.trans_sn,
  };
}

/** Returns the hash of a record's sealed facts, as a JSON array without whitespace. */
export function recordHash(facts: SealFacts): Buffer {
  return sha256(JSON.stringify(Object.values(sealedFacts(facts))));
}

type SealEntries = Pick<Seal, "log_ids" | "rounds_ids" | "hashes">;

/** Returns 8 bytes of the record's id and 4 bytes of the round's id, big-endian. */
export function idBytes(log_id: number, rounds_id: number): Buffer {
  const ids = Buffer.alloc(12);
  ids.writeBigUInt64BE(BigInt(log_id));
  ids.writeUInt32BE(rounds_id, 8);
  return ids;
}

/**
 * Returns the leaves of a block's tree (RFC 6962 §2.1). Each leaf hashes the record's id (8 bytes, big-endian),
 * the round's id (4 bytes) and the record's hash. The round's id is included, so that nobody can present the
 * record as evidence of another round.
 */
function leavesOf({ log_ids, rounds_ids, hashes }: SealEntries): Buffer[] {
  return log_ids.map((log_id, at) => {
    const record = hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    return sha256(LEAF, idBytes(log_id, rounds_ids[at] ?? 0), record);
  });
}

/**
 * Returns the next higher level. Neighbours are hashed together, and a last node without a neighbour moves up
 * unchanged.
 */
function levelAbove(level: readonly Buffer[]): Buffer[] {
  return Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => {
    const [left = CHAIN_START, right] = [level[2 * at], level[2 * at + 1]];
    return right === undefined ? left : sha256(NODE, left, right);
  });
}

/**
 * Returns the tree over a block's records, from the leaves up to the root (RFC 6962 §2.1). The block must have at
 * least one record.
 */
export function entriesTree(entries: SealEntries): Buffer[][] {
  const levels = [leavesOf(entries)];
  for (let level = levels[0] ?? []; level.length > 1;) {
    level = levelAbove(level);
    levels.push(level);
  }
  return levels;
}

/** Returns the audit path: the sibling hashes from the leaf at `index` up to the root (RFC 6962 §2.1.1). */
export function pathIn(tree: readonly (readonly Buffer[])[], index: number): Buffer {
  return Buffer.concat(tree.flatMap((level, height) => level[(index >> height) ^ 1] ?? []));
}

/** Returns the root of the tree over a block's records. Throws RangeError if the block has no record. */
export function entriesRoot(entries: SealEntries): Buffer {
  const root = entriesTree(entries).at(-1)?.[0];
  if (root === undefined) {
    throw new RangeError("a block without records");
  }
  return root;
}

/** Returns the hash of the previous block's hash, the block number (8 bytes) and the root. */
export function blockHash(prev: Buffer, no: number, root: Buffer): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(no));
  return sha256(prev, number, root);
}
