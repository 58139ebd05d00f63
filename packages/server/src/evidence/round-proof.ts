/** Streams the evidence of a round as JSON lines, block by block (behaviour §5, docs/security.md). */
import { Readable } from "node:stream";
import { CHAIN_START, entriesRoot, sealedFacts } from "./seal-chain.ts";
import type { Db } from "#platform/db/connection";
import { selectRoundProof, streamRoundVersions, streamUnsealed } from "./proof-sql.ts";
import type { RoundProof } from "./proof-sql.ts";
import { selectChainEnd, selectSealFacts, selectSeals } from "./seal-sql.ts";
import type { Seal, SealFacts } from "./seal-chain.ts";
import { storedFromSnapshot } from "#platform/db/snapshot";

/** Format number. Increase it when the meaning of a line changes. */
const FORMAT = 3;
const PAGE_BLOCKS = 8;

function line(kind: string, values: object): string {
  return `${JSON.stringify({ kind, ...values })}\n`;
}

function recordLine(facts: SealFacts, seal: number | null): string {
  return line("record", { ...sealedFacts(facts), exhausted: facts.exhausted, seal });
}

function partOf(seal: Seal, rounds_id: number): Pick<Seal, "log_ids" | "rounds_ids"> {
  const log_ids = seal.log_ids.filter((_id, index) => seal.rounds_ids[index] === rounds_id);
  return { log_ids, rounds_ids: log_ids.map(() => rounds_id) };
}

async function* blockLines(
  snapshot: Db,
  seal: Seal,
  rounds_id: number,
  isClosing: boolean,
): AsyncGenerator<string> {
  const link = {
    no: seal.no,
    prev: seal.prev.toString("hex"),
    hash: seal.hash.toString("hex"),
  };
  const part = partOf(seal, rounds_id);
  if (part.log_ids.length === 0 && !isClosing) {
    // The block has no record of this round, so only the link of the chain is needed.
    yield line("link", { ...link, root: entriesRoot(seal).toString("hex") });
    return;
  }
  yield line("seal", {
    ...link,
    log_ids: seal.log_ids,
    rounds_ids: seal.rounds_ids,
    hashes: seal.hashes.toString("hex"),
  });
  for (const facts of await selectSealFacts(snapshot, part)) {
    yield recordLine(facts, seal.no);
  }
}

/** Yields the blocks that can contain records of the round. Returns the number of the last block. */
async function* chainLines(
  snapshot: Db,
  rounds_id: number,
  { first_block, late_id }: RoundProof,
): AsyncGenerator<string, number> {
  let last = first_block - 1;
  let isClosed = false;
  while (!isClosed) {
    const page = await selectSeals(snapshot, last, PAGE_BLOCKS);
    for (const seal of page) {
      // All entries of this block are later than any record of the round, so no later block can contain such a record.
      isClosed = Math.min(...seal.log_ids) > late_id;
      yield* blockLines(snapshot, seal, rounds_id, isClosed);
      last = seal.no;
      if (isClosed) {
        return last;
      }
    }
    isClosed = page.length < PAGE_BLOCKS;
  }
  return last;
}

export async function* roundProofLines(snapshot: Db, rounds_id: number): AsyncGenerator<string> {
  const round = await selectRoundProof(snapshot, rounds_id);
  const { rounds_name, records, first_block } = round;
  const chain_start = CHAIN_START.toString("hex");
  yield line("round", { format: FORMAT, rounds_id, rounds_name, records, chain_start });
  for await (const page of streamRoundVersions(snapshot, rounds_id)) {
    for (const { kind, ...version } of page) {
      yield line(kind, version);
    }
  }
  const last_block = yield* chainLines(snapshot, rounds_id, round);
  for await (const page of streamUnsealed(snapshot, rounds_id, { first_block, last_block })) {
    const log_ids = page.map(({ id }) => id);
    const named = { log_ids, rounds_ids: log_ids.map(() => rounds_id) };
    for (const facts of await selectSealFacts(snapshot, named)) {
      yield recordLine(facts, null);
    }
  }
  const { no: chain_end } = await selectChainEnd(snapshot);
  yield line("end", { records, chain_end });
}

/** Streams the evidence from one snapshot of the database. */
export function roundProof(db: Db, rounds_id: number): Readable {
  const lines = storedFromSnapshot(db, (snapshot) => roundProofLines(snapshot, rounds_id));
  return Readable.from(lines, { objectMode: false });
}
