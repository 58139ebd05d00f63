/** Seals anew what an earlier release has sealed in another form (behaviour §5). */
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { insertFact } from "#platform/installation-sql";
import { deleteSeals, lockChain, selectLastSeal } from "./seal-sql.ts";
import { sealRecords } from "./seal-records.ts";

/**
 * Replaces the blocks of an earlier release once: notes the number and hash of the last one, deletes them, and seals all
 * records again in the order of their ids. False when there are none to replace. Begun and interrupted, the rest is
 * sealed by the next call or by the server. `onReplaced` runs before the deletion is committed, `onBlock` after each
 * new block.
 */
export async function reseal(
  db: Db,
  onReplaced: () => Promise<void>,
  onBlock: (no: number) => void,
): Promise<boolean> {
  const isFormer = await inTransaction(db, async (tx) => {
    await lockChain(tx);
    const last = await selectLastSeal(tx);
    if (last === null || last.root !== null) {
      return false;
    }
    await insertFact(tx, "former_chain", `${last.no} ${last.hash.toString("hex")}`);
    await deleteSeals(tx);
    await onReplaced();
    return true;
  });
  let block = await inTransaction(db, (tx) => sealRecords(tx, 5_000));
  while (block !== null) {
    onBlock(block.no);
    block = await inTransaction(db, (tx) => sealRecords(tx, 5_000));
  }
  return isFormer;
}
