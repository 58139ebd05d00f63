/** Seals anew what an earlier release has sealed in another form (behaviour §5). */
import { inTransaction } from "#platform/connection";
import type { Db, Tx } from "#platform/connection";
import { insertFact } from "#platform/installation-sql";
import type { Offence } from "#platform/snapshot";
import { FORMER } from "./former-seal.ts";
import { deleteSeals, lockChain, selectLastSeal } from "./seal-sql.ts";
import { sealRecords } from "./seal-records.ts";
import { verifySeals } from "./verify-seals.ts";
import type { KnownEnd } from "./verify-seals.ts";

/** Without the last seconds, in which records with lower ids may be about to commit. */
const SETTLE_MS = 5_000;

export interface Resealing {
  /** Of the former chain, which the former blocks must contain. */
  readonly anchors: readonly KnownEnd[];
  /** Before the former blocks are gone for good. */
  onReplaced(): Promise<void>;
  onBlock(no: number): void;
}

/** Null when no former block stands. */
async function replaceFormer(tx: Tx, resealing: Resealing): Promise<"replaced" | Offence | null> {
  await lockChain(tx);
  const last = await selectLastSeal(tx);
  if (last === null || last.root !== null) {
    return null;
  }
  const offence = await verifySeals(tx, resealing.anchors, FORMER);
  if (offence !== null) {
    return offence;
  }
  await insertFact(tx, "former_chain", `${last.no} ${last.hash.toString("hex")}`);
  await deleteSeals(tx);
  await resealing.onReplaced();
  return "replaced";
}

/**
 * Replaces the blocks of an earlier release once: checks them against records and anchors, notes the number and hash of the
 * last one, deletes them, and seals all records again in the order of their ids. Answers what contradicts the former
 * blocks, and then changes nothing, else a changed record would be sealed as if it were sound. Interrupted, the rest is
 * sealed by the next call or by the server.
 */
export async function reseal(
  db: Db,
  resealing: Resealing,
): Promise<"replaced" | "nothing" | Offence> {
  const replaced = await inTransaction(db, (tx) => replaceFormer(tx, resealing));
  if (replaced !== null && replaced !== "replaced") {
    return replaced;
  }
  let block = await inTransaction(db, (tx) => sealRecords(tx, SETTLE_MS));
  while (block !== null) {
    resealing.onBlock(block.no);
    block = await inTransaction(db, (tx) => sealRecords(tx, SETTLE_MS));
  }
  return replaced ?? "nothing";
}
