/**
 * Deletes the oldest rows of the audit log (docs/operations.md). It deletes whole blocks, so that the remaining
 * rows can still be verified.
 */
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { idAt } from "#platform/db/time-ids";
import { sql } from "kysely";
import { lockChain, TRIM_ACTION } from "./seal-sql.ts";

const SYSTEM = { kind: "system", name: "upkeep", request_id: null, address: null } as const;

/**
 * Deletes the oldest block if all its rows are older than `days`. The last block always stays. Returns the number
 * of deleted rows.
 */
async function trimBlock(tx: Tx, days: number): Promise<number> {
  await lockChain(tx, "audit_log");
  const { rows } = await sql<{ no: number; hash: string; count: number }>`
    with block as (
      delete from audit_seal
      where no = (select min(no) from audit_seal) and no < (select max(no) from audit_seal)
        and last_id < ${idAt(sql`(now() - make_interval(days => ${days}::int))`)}
      returning no, hash, log_ids
    ), gone as (
      delete from audit_log where id in (select unnest(log_ids) from block)
    )
    select no, encode(hash, 'hex') as hash, cardinality(log_ids) as count from block`.execute(tx);
  const [block] = rows;
  if (block !== undefined) {
    const entry = { action: TRIM_ACTION, object_type: "installation", after: block };
    await insertAudit(tx, SYSTEM, entry);
  }
  return block?.count ?? 0;
}

/** Background task that trims the audit log. With `days` null, everything is kept. */
export function trimAuditLog(days: number | null) {
  return async (db: Db, signal: AbortSignal): Promise<{ readonly rows: number }> => {
    let rows = 0;
    for (let count = 1; days !== null && count > 0 && !signal.aborted; rows += count) {
      count = await inTransaction(db, (tx) => trimBlock(tx, days));
    }
    return { rows };
  };
}
