/** Compares the wallet's statement with our payouts, in both directions (behaviour §6). */
import { AppError } from "@red/contract/platform/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { failpoint } from "#platform/failpoint";
import {
  insertBreaks,
  insertReconciliation,
  keepPage,
  replaceEntries,
  withReconciliationLock,
} from "./reconciliation-sql.ts";
import type { ReconciliationSpan, StatementEntry } from "./reconciliation-sql.ts";

export interface Statement extends ReconciliationSpan {
  /** Null if the statement comes from the wallet's API. */
  readonly file_name: string | null;
  /** Pages of entries. Entries outside the period are ignored. */
  readonly pages: AsyncIterable<readonly StatementEntry[]> | Iterable<readonly StatementEntry[]>;
}

export interface Reconciled {
  readonly id: number;
  readonly breaks: number;
}

/**
 * Reads the whole statement, then writes all differences in one transaction. If reading fails, nothing
 * changes and the error is thrown. Throws `reconciliation_runs` while another reconciliation runs.
 */
export async function reconcile(db: Db, actor: Actor, statement: Statement): Promise<Reconciled> {
  const { from_at, to_at, file_name, pages } = statement;
  const span = { from_at, to_at };
  const reconciled = await withReconciliationLock(db, async (held, since) => {
    for await (const page of pages) {
      const entries = page.filter(({ paid_at }) => paid_at >= from_at && paid_at < to_at);
      if (entries.length > 0) {
        await keepPage(held, entries);
        failpoint("statement_page_kept");
      }
    }
    return await inTransaction(held, async (tx) => {
      await replaceEntries(tx, span);
      const id = await insertReconciliation(tx, span, { by: actor.name, at: since, file_name });
      const breaks = await insertBreaks(tx, id, span, actor.name);
      await insertAudit(tx, actor, {
        action: "reconcile",
        object_type: "reconciliation",
        object_id: id,
        after: { ...span, file_name, breaks },
      });
      return { id, breaks };
    });
  });
  if (reconciled === null) {
    throw new AppError("reconciliation_runs");
  }
  return reconciled;
}
