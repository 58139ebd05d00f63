/**
 * What somebody did leaves one row here, in its own transaction: who, what, before, after. Draws and
 * attempts at payouts are records of their own (docs/security.md lists what is where).
 */
import { sql } from "kysely";
import type { Db, Tx } from "./connection.ts";

/** Who acts, and through which request. */
export interface Actor {
  readonly kind: "operator" | "key" | "redctl" | "system";
  /** Operator name, platform key, or the program. */
  readonly name: string;
  readonly request_id: string | null;
  readonly address: string | null;
}

interface AuditEntry {
  readonly action: string;
  readonly object_type: string;
  readonly object_id?: string | number | null;
  readonly before?: object | null;
  readonly after?: object | null;
}

function json(value: object | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function row(actor: Actor, entry: AuditEntry, outcome: "done" | "refused") {
  return {
    actor_kind: actor.kind,
    actor: actor.name,
    action: entry.action,
    object_type: entry.object_type,
    object_id:
      entry.object_id === undefined || entry.object_id === null ? null : String(entry.object_id),
    outcome,
    before: json(entry.before),
    after: json(entry.after),
    request_id: actor.request_id,
    address: actor.address,
  };
}

/** Writes the audit row of a change, in the transaction of the change. */
export async function insertAudit(tx: Tx, actor: Actor, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto("audit_log")
    .values(row(actor, entry, "done"))
    .execute();
}

/** The same for a change of many objects, a row for each. */
export async function insertAudits(
  tx: Tx,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<void> {
  // As one value: rows of their own would soon be more parameters than a statement takes.
  const rows = entries.map(({ before, after, ...entry }) => ({
    ...row(actor, entry, "done"),
    before,
    after,
  }));
  await sql`
    insert into audit_log (actor_kind, actor, action, object_type, object_id, outcome, before,
      after, request_id, address)
    select actor_kind, actor, action, object_type, object_id, outcome, before, after, request_id,
      address
    from json_populate_recordset(null::audit_log, ${JSON.stringify(rows)}::json)`.execute(tx);
}

/** Writes the audit row of a refusal; there is no change that it could share a transaction with. */
export async function insertRefusal(db: Db, actor: Actor, entry: AuditEntry): Promise<void> {
  await db
    .insertInto("audit_log")
    .values(row(actor, entry, "refused"))
    .execute();
}
