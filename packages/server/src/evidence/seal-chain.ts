/** The hash chain of sealed records (behaviour §5). Pure. docs/security.md describes what is hashed. */
import { createHmac, hash } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "#platform/db/schema";

/** A record with everything that is sealed: its columns, and facts of other tables. */
export interface SealFacts extends Readonly<
  Omit<Selectable<Database["draw_record"]>, "id" | "player_key">
> {
  readonly log_id: number;
  readonly player_id: string;
  /** Null before the player's first record is sealed, and once the player is erased. */
  readonly salt: Buffer | null;
  /** The stored commitment of an erased player. */
  readonly erased_commitment: Buffer | null;
  /** SHA-256 (hex) of the kept texts of the rule's version and the pool's version; null if the version is missing. */
  readonly rule_hash: string | null;
  readonly pool_hash: string | null;
  readonly trans_sn: string | null;
}

export interface Seal {
  readonly no: number;
  readonly log_ids: readonly number[];
  readonly rounds_ids: readonly number[];
  /** The hash of each record, 32 bytes each. */
  readonly hashes: Buffer;
  readonly prev: Buffer;
  readonly root: Buffer;
  readonly hash: Buffer;
}

/** Predecessor of the first block. */
export const CHAIN_START = Buffer.alloc(32);

const HASH_BYTES = 32;
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

export function sha256(...parts: readonly (Buffer | string)[]): Buffer {
  const bytes = parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part));
  return hash("sha256", Buffer.concat(bytes), "buffer");
}

/** The salt of a player in one round. Whoever has it can link only the player's records of that round. */
export function roundSalt(salt: Buffer, rounds_id: number): Buffer {
  return createHmac("sha256", salt).update(String(rounds_id)).digest();
}

/** Replaces the player in sealed facts. Only somebody with salt and `player_id` can tell which player it is. */
export function commitment(round_salt: Buffer, player_id: string): Buffer {
  return sha256(round_salt, player_id);
}

/** The commitment of a record's player; null without a salt. */
export function commitmentOf(facts: SealFacts): Buffer | null {
  if (facts.erased_commitment !== null || facts.salt === null) {
    return facts.erased_commitment;
  }
  return commitment(roundSalt(facts.salt, facts.rounds_id), facts.player_id);
}

/** The sealed facts of a record, in this order; `player` is the commitment as hex. */
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
    /** Hashed, because the list may be as long as the pool and a proof of one record must stay short. */
    exhausted_hash: sha256(JSON.stringify(facts.exhausted)).toString("hex"),
    extra_time_id: facts.extra_time_id,
    created_at: facts.created_at.toISOString(),
    trans_sn: facts.trans_sn,
  };
}

/** Hash of a record's sealed facts as a JSON array without blanks. */
export function recordHash(facts: SealFacts): Buffer {
  return sha256(JSON.stringify(Object.values(sealedFacts(facts))));
}

type SealEntries = Pick<Seal, "log_ids" | "rounds_ids" | "hashes">;

/** 8 bytes of a record's id and 4 of its round's, big-endian. */
export function idBytes(log_id: number, rounds_id: number): Buffer {
  const ids = Buffer.alloc(12);
  ids.writeBigUInt64BE(BigInt(log_id));
  ids.writeUInt32BE(rounds_id, 8);
  return ids;
}

/**
 * The leaves of a block's tree (RFC 6962 §2.1). Each hashes the record's id (8 bytes, big-endian), its round (4 bytes)
 * and its hash. With the round, a record cannot be shown as evidence of another round.
 */
function leavesOf({ log_ids, rounds_ids, hashes }: SealEntries): Buffer[] {
  return log_ids.map((log_id, at) => {
    const record = hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    return sha256(LEAF, idBytes(log_id, rounds_ids[at] ?? 0), record);
  });
}

/** The level above: neighbours are hashed together; a last node without neighbour moves up unchanged. */
function levelAbove(level: readonly Buffer[]): Buffer[] {
  return Array.from({ length: Math.ceil(level.length / 2) }, (_, at) => {
    const [left = CHAIN_START, right] = [level[2 * at], level[2 * at + 1]];
    return right === undefined ? left : sha256(NODE, left, right);
  });
}

/** The tree over a block's records, at least one, from the leaves up to the root (RFC 6962 §2.1). */
export function entriesTree(entries: SealEntries): Buffer[][] {
  const levels = [leavesOf(entries)];
  for (let level = levels[0] ?? []; level.length > 1;) {
    level = levelAbove(level);
    levels.push(level);
  }
  return levels;
}

/** The audit path: the sibling hashes from the leaf at `index` up to the root (RFC 6962 §2.1.1). */
export function pathIn(tree: readonly (readonly Buffer[])[], index: number): Buffer {
  return Buffer.concat(tree.flatMap((level, height) => level[(index >> height) ^ 1] ?? []));
}

/** Root of the tree over a block's records, at least one. */
export function entriesRoot(entries: SealEntries): Buffer {
  const root = entriesTree(entries).at(-1)?.[0];
  if (root === undefined) {
    throw new RangeError("a block without records");
  }
  return root;
}

/** Hash of the previous block's hash, the number (8 bytes) and the root. */
export function blockHash(prev: Buffer, no: number, root: Buffer): Buffer {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(no));
  return sha256(prev, number, root);
}
