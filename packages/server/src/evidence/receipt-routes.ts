/**
 * Routes by which platforms read receipts and the signed chain (platform-api; behaviour §5). Signatures are made
 * at each request and are not stored.
 */
import { found } from "@red/contract/platform/errors";
import { checkpointText } from "@red/contract/evidence/receipt";
import type { receiptRoutes } from "@red/contract/evidence/receipt";
import { selectAnsweredDraw } from "#draws/draw-sql";
import type { Db } from "#platform/db/connection";
import type { Handlers } from "#platform/handlers";
import type { SecretBox } from "#platform/secret-box";
import { entriesTree, pathIn, roundSalt, sealedFacts } from "./seal-chain.ts";
import { selectLinks, selectSealFacts, selectSealOf, selectSeals } from "./seal-sql.ts";
import type { SealLink } from "./seal-sql.ts";

/** A draw is sealed after five seconds, by the sealer's next pass. */
const READY_SECONDS = 5;
/** Maximum number of cached trees. A tree has at most half a megabyte. */
const TREES_MAX = 8;

function toCheckpoint(seal: SealLink, secrets: SecretBox) {
  const [prev, hash] = [seal.prev.toString("hex"), seal.hash.toString("hex")];
  return { no: seal.no, prev, hash, signature: secrets.sign(checkpointText(seal.no, prev, hash)) };
}

/**
 * Trees of the newest blocks, by hash. Building a tree takes milliseconds, and receipts of a block are usually
 * read together.
 */
const trees = new Map<string, Promise<Buffer[][]>>();

async function treeOf(db: Db, { no, hash }: SealLink): Promise<Buffer[][]> {
  const name = hash.toString("hex");
  const tree =
    trees.get(name) ??
    selectSeals(db, no - 1, 1).then(([seal]) => (seal === undefined ? [] : entriesTree(seal)));
  trees.set(name, tree);
  tree.catch(() => trees.delete(name));
  for (const oldest of [...trees.keys()].slice(0, -TREES_MAX)) {
    trees.delete(oldest);
  }
  return await tree;
}

export const receiptHandlers: Handlers<typeof receiptRoutes> = {
  async receipt({ db, actor, params, services }) {
    const draw = found(
      await selectAnsweredDraw(db, actor.name, params.request_id),
      "draw_not_found",
    );
    const { log_id, rounds_id } = draw;
    const seal = found(await selectSealOf(db, log_id), "receipt_not_ready", {
      seconds: READY_SECONDS,
    });
    const block = toCheckpoint(seal, services.secrets);
    const [facts] = await selectSealFacts(db, { log_ids: [log_id], rounds_ids: [rounds_id] });
    if (facts === undefined) {
      throw new Error(`record ${log_id} is gone`);
    }
    const { salt } = facts;
    const { index, size } = seal;
    return {
      data: {
        facts: sealedFacts(facts),
        salt: salt === null ? null : roundSalt(salt, rounds_id).toString("hex"),
        index,
        size,
        path: pathIn(await treeOf(db, seal), index).toString("hex"),
        block,
      },
    };
  },

  async checkpoints({ db, query, services }) {
    const { after, limit } = query;
    // Reads one block more than the page, to find out whether there is a next page.
    const seals = await selectLinks(db, after, limit + 1);
    const page = seals.slice(0, limit);
    return {
      data: {
        public_key: services.secrets.publicKey,
        checkpoints: page.map((seal) => toCheckpoint(seal, services.secrets)),
        next: seals.length > limit ? (page.at(-1)?.no ?? null) : null,
      },
    };
  },
};
