/** Checks the chain of seals against the records and the anchors (behaviour §5). */
import { blockHash, entriesRoot, recordHash } from "./seal-chain.ts";
import type { SealEntries } from "./seal-chain.ts";
import { LATE_MS } from "./seal-records.ts";
import type { Db } from "#platform/connection";
import {
  selectChainStart,
  selectLateUnsealed,
  selectSealFacts,
  selectSeals,
  selectTwiceSealed,
} from "./seal-sql.ts";
import type { Seal, SealFacts } from "./seal-sql.ts";
import type { Offence } from "#platform/snapshot";

export interface KnownEnd {
  readonly no: number;
  /** Hex. */
  readonly hash: string;
}

/** Blocks read at a time: each may have some thousand records. */
const PAGE_BLOCKS = 8;

function broken(no: number, expected: object | null, found: object | null): Offence {
  return { table: "seal", ids: { no }, expected: { ...expected }, found: found && { ...found } };
}

/** How records and blocks were hashed. */
export interface SealForm {
  recordHash(facts: SealFacts): Buffer;
  entriesRoot(entries: SealEntries): Buffer;
  /** The root stands in the block. */
  readonly isRootKept: boolean;
}

const TREE: SealForm = { recordHash, entriesRoot, isRootKept: true };

function findBrokenBlock(seal: Seal, no: number, prev: Buffer, form: SealForm): Offence | null {
  if (seal.no !== no) {
    return broken(no, {}, null);
  }
  if (!seal.prev.equals(prev)) {
    return broken(no, { prev: prev.toString("hex") }, { prev: seal.prev.toString("hex") });
  }
  const root = form.entriesRoot(seal);
  if (form.isRootKept && seal.root?.equals(root) !== true) {
    return broken(no, { root: root.toString("hex") }, { root: seal.root?.toString("hex") ?? null });
  }
  const hash = blockHash(prev, no, root).toString("hex");
  const found = seal.hash.toString("hex");
  return hash === found ? null : broken(no, { hash }, { hash: found });
}

/** The first record of the block that is missing or changed. */
async function findChangedRecord(
  snapshot: Db,
  seal: Seal,
  form: SealForm,
): Promise<Offence | null> {
  const facts = new Map((await selectSealFacts(snapshot, seal)).map((row) => [row.log_id, row]));
  for (const [index, id] of seal.log_ids.entries()) {
    const ids = { id, rounds_id: seal.rounds_ids[index], seal: seal.no };
    const record = facts.get(id);
    if (record === undefined) {
      return { table: "draw_record", ids, expected: {}, found: null };
    }
    const sealed = seal.hashes.subarray(index * 32, index * 32 + 32);
    const now = form.recordHash(record);
    if (!sealed.equals(now)) {
      const expected = { hash: sealed.toString("hex") };
      return { table: "draw_record", ids, expected, found: { hash: now.toString("hex") } };
    }
  }
  return null;
}

async function findOutsideChain(snapshot: Db): Promise<Offence | null> {
  const twice = await selectTwiceSealed(snapshot);
  if (twice !== null) {
    return { table: "seal", ids: { id: twice }, expected: { blocks: 1 }, found: { blocks: 2 } };
  }
  const late = await selectLateUnsealed(snapshot, LATE_MS);
  return late && { table: "draw_record", ids: { ...late }, expected: null, found: {} };
}

/**
 * Blocks follow each other without a gap; sealed records exist unchanged; no unsealed record is older than
 * the sealed ones around it; and the chain contains each anchor. Reports the first offence in chain order.
 * Records of the last hour may still be unsealed.
 */
export async function verifySeals(
  snapshot: Db,
  anchors: readonly KnownEnd[],
  form: SealForm = TREE,
): Promise<Offence | null> {
  const anchored = new Map(anchors.map(({ no, hash }) => [no, hash]));
  let no = 0;
  let prev = await selectChainStart(snapshot);
  for (;;) {
    const page = await selectSeals(snapshot, no, PAGE_BLOCKS);
    for (const seal of page) {
      no += 1;
      const known = anchored.get(no);
      const found = seal.hash.toString("hex");
      const offence =
        findBrokenBlock(seal, no, prev, form) ??
        (await findChangedRecord(snapshot, seal, form)) ??
        (known === undefined || known === found
          ? null
          : broken(no, { hash: known }, { hash: found }));
      if (offence !== null) {
        return offence;
      }
      prev = seal.hash;
    }
    if (page.length < PAGE_BLOCKS) {
      break;
    }
  }
  const last = Math.max(0, ...anchors.map((anchor) => anchor.no));
  return last > no ? broken(no + 1, {}, null) : await findOutsideChain(snapshot);
}
