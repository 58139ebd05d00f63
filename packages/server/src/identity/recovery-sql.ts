/** Recovery codes of operators. Each code allows one sign-in without the authenticator. */
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import { countOf } from "#platform/db/sql-parts";

export async function deleteRecoveryCodes(tx: Tx, operator_id: number): Promise<void> {
  await tx.deleteFrom("recovery_code").where("operator_id", "=", operator_id).execute();
}

export async function insertRecoveryCodes(
  tx: Tx,
  operator_id: number,
  hashes: readonly Buffer[],
): Promise<void> {
  const rows = hashes.map((code_hash) => ({ operator_id, code_hash }));
  await tx.insertInto("recovery_code").values(rows).execute();
}

/** Returns false if the code does not exist or was already used. */
export async function useRecoveryCode(
  tx: Tx,
  operator_id: number,
  code_hash: Buffer,
): Promise<boolean> {
  const result = await tx
    .updateTable("recovery_code")
    .set({ used_at: sql<Date>`now()` })
    .where("operator_id", "=", operator_id)
    .where("code_hash", "=", code_hash)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function countRecoveryCodes(db: Db, operator_id: number): Promise<number> {
  const own = db.selectFrom("recovery_code").where("operator_id", "=", operator_id);
  return await countOf(own.where("used_at", "is", null));
}
