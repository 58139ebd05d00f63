/** Checks the chains of seals against records, audit log and anchors (behaviour §5, §9). */
import { blockHash, entriesRoot, recordHash } from "./seal-chain.ts";
import { LATE_MS } from "./seal-records.ts";
import type { Anchor } from "./anchors.ts";
import type { Db } from "#platform/db/connection";
import {
  BLOCKS,
  entriesOf,
  selectAuditLeaves,
  selectLateUnsealed,
  selectSealFacts,
  selectSeals,
  selectTrimmed,
  selectTwiceSealed,
} from "./seal-sql.ts";
import type { SealedList } from "./seal-sql.ts";
import type { Seal } from "./seal-chain.ts";
import type { Offence } from "#platform/db/snapshot";

export type KnownEnd = Pick<Anchor, "no" | "hash"> & Partial<Pick<Anchor, "at">>;

/** Number of blocks per page. Each block may have some thousand rows. */
const PAGE_BLOCKS = 8;

/** Computes the current hash of each row of a block, by id. */
const HASHES: Readonly<
  Record<SealedList, (snapshot: Db, seal: Seal) => Promise<ReadonlyMap<number, Buffer>>>
> = {
  async draw_record(snapshot, seal) {
    const facts = await selectSealFacts(snapshot, seal);
    return new Map(facts.map((row) => [row.log_id, recordHash(row)]));
  },
  async audit_log(snapshot, seal) {
    const leaves = await selectAuditLeaves(snapshot, entriesOf(seal));
    return new Map(leaves.map(({ id, hash }) => [id, hash]));
  },
};

type Broken = (no: number, expected: object | null, found: object | null) => Offence;

function findBrokenBlock(seal: Seal, no: number, prev: Buffer, broken: Broken): Offence | null {
  if (seal.no !== no) {
    return broken(no, {}, null);
  }
  if (!seal.prev.equals(prev)) {
    return broken(no, { prev: prev.toString("hex") }, { prev: seal.prev.toString("hex") });
  }
  const root = entriesRoot(seal);
  if (!seal.root.equals(root)) {
    return broken(no, { root: root.toString("hex") }, { root: seal.root.toString("hex") });
  }
  const hash = blockHash(prev, no, root).toString("hex");
  const found = seal.hash.toString("hex");
  return hash === found ? null : broken(no, { hash }, { hash: found });
}

/** Returns the first row of the block that is missing or changed. */
async function findChangedRow(
  snapshot: Db,
  seal: Seal,
  table: SealedList,
): Promise<Offence | null> {
  const hashes = await HASHES[table](snapshot, seal);
  for (const [index, id] of seal.log_ids.entries()) {
    const ids = { id, rounds_id: seal.rounds_ids[index], seal: seal.no };
    const now = hashes.get(id);
    if (now === undefined) {
      return { table, ids, expected: {}, found: null };
    }
    const sealed = seal.hashes.subarray(index * 32, index * 32 + 32);
    if (!sealed.equals(now)) {
      const expected = { hash: sealed.toString("hex") };
      return { table, ids, expected, found: { hash: now.toString("hex") } };
    }
  }
  return null;
}

async function findOutsideChain(snapshot: Db, list: SealedList): Promise<Offence | null> {
  const twice = await selectTwiceSealed(snapshot, list);
  if (twice !== null) {
    const [expected, found] = [{ blocks: 1 }, { blocks: 2 }];
    return { table: BLOCKS[list], ids: { id: twice }, expected, found };
  }
  const late = await selectLateUnsealed(snapshot, list, LATE_MS);
  return late && { table: list, ids: { ...late }, expected: null, found: {} };
}

/**
 * Reports the first offence in chain order against these rules. Blocks follow each other without a gap, and
 * sealed rows exist unchanged. No unsealed row is older than the sealed rows around it, except rows of the last
 * hour. The chain contains each anchor, and no young block was trimmed.
 */
export async function verifySeals(
  snapshot: Db,
  anchors: readonly KnownEnd[],
  list: SealedList = "draw_record",
): Promise<Offence | null> {
  const broken: Broken = (no, expected, found) => ({
    table: BLOCKS[list],
    ids: { no },
    expected: { ...expected },
    found: found && { ...found },
  });
  const anchored = new Map(anchors.map(({ no, hash }) => [no, hash]));
  const trim = await selectTrimmed(snapshot, list);
  let { no, hash: prev } = trim;
  // Blocks are anchored as soon as they are sealed, so the anchor's time tells the age of the block.
  const { at } = anchors.find((anchor) => anchor.no >= trim.no) ?? {};
  if (trim.newest !== null && at !== undefined && new Date(at) > trim.newest) {
    return broken(no, {}, null);
  }
  const trimmed = anchored.get(no);
  if (trimmed !== undefined && trimmed !== prev.toString("hex")) {
    return broken(no, { hash: trimmed }, { hash: prev.toString("hex") });
  }
  for (;;) {
    const page = await selectSeals(snapshot, no, PAGE_BLOCKS, list);
    for (const seal of page) {
      no += 1;
      const known = anchored.get(no);
      const found = seal.hash.toString("hex");
      const offence =
        findBrokenBlock(seal, no, prev, broken) ??
        (await findChangedRow(snapshot, seal, list)) ??
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
  // A trim never deletes the last block.
  return last > no || (no > 0 && no === trim.no)
    ? broken(no + 1, {}, null)
    : await findOutsideChain(snapshot, list);
}
