/** Compares the wallet's statement with our payouts, both ways (behaviour §6). */
import { insertAudit } from "#db/audit";
import type { Actor } from "#db/audit";
import { inTransaction } from "#db/connection";
import type { Db } from "#db/connection";
import { failpoint } from "#db/failpoint";
import {
  deleteUnlisted,
  finishReconciliation,
  insertBreaks,
  insertReconciliation,
  upsertEntries,
} from "#db/reconciliation";
import type { ReconciliationSpan, StatementEntry } from "#db/reconciliation";

/** A statement on its way in. */
export interface Statement extends ReconciliationSpan {
  /** Null when the wallet was asked. */
  readonly file_name: string | null;
  /** Page by page; what lies outside the span is passed over. */
  readonly pages: AsyncIterable<readonly StatementEntry[]> | Iterable<readonly StatementEntry[]>;
}

export interface Reconciled {
  readonly id: number;
  /** How many differences are open now that this statement shows. */
  readonly breaks: number;
}

/**
 * Reads the statement to its end and writes down what differs. A statement that breaks off compares
 * nothing: what was read of it stays unfinished, and the caller's error is thrown.
 */
export async function reconcile(db: Db, actor: Actor, statement: Statement): Promise<Reconciled> {
  const { from_at, to_at, file_name, pages } = statement;
  const span = { from_at, to_at };
  const id = await inTransaction(db, (tx) => insertReconciliation(tx, span, actor.name, file_name));
  for await (const page of pages) {
    const entries = page.filter(({ paid_at }) => paid_at >= from_at && paid_at < to_at);
    if (entries.length > 0) {
      await inTransaction(db, (tx) => upsertEntries(tx, id, entries));
      failpoint("statement_page_kept");
    }
  }
  const breaks = await inTransaction(db, async (tx) => {
    await deleteUnlisted(tx, id, span);
    await finishReconciliation(tx, id);
    const found = await insertBreaks(tx, id, span, actor.name);
    await insertAudit(tx, actor, {
      action: "reconcile",
      object_type: "reconciliation",
      object_id: id,
      after: { ...span, file_name, breaks: found },
    });
    return found;
  });
  return { id, breaks };
}
