/** The audit log, one row per action. Draws and payout attempts have their own (docs/security.md). */
import { sql } from "kysely";
import type { Db, Tx } from "./connection.ts";

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

async function insertRows(
  db: Db,
  actor: Actor,
  outcome: "done" | "refused",
  entries: readonly AuditEntry[],
): Promise<void> {
  const { kind: actor_kind, name, request_id, address } = actor;
  const rows = entries.map(({ object_id = null, ...entry }) => ({
    ...entry,
    object_id: object_id === null ? null : String(object_id),
    outcome,
    actor_kind,
    actor: name,
    request_id,
    address,
  }));
  // One JSON value: a parameter for each column would exceed what a statement takes.
  await sql`
    insert into audit_log (actor_kind, actor, action, object_type, object_id, outcome, before,
      after, request_id, address)
    select actor_kind, actor, action, object_type, object_id, outcome, before, after, request_id,
      address
    from json_populate_recordset(null::audit_log, ${JSON.stringify(rows)}::json)`.execute(db);
}

/** Writes the audit rows of a change, one for each object, in the transaction of the change. */
export async function insertAudit(tx: Tx, actor: Actor, ...entries: AuditEntry[]): Promise<void> {
  await insertRows(tx, actor, "done", entries);
}

/** Writes the audit row of a refusal; there is no change that it could share a transaction with. */
export async function insertRefusal(db: Db, actor: Actor, entry: AuditEntry): Promise<void> {
  await insertRows(db, actor, "refused", [entry]);
}
