/** Writes the audit log, one row per action. Draws and payout attempts have their own logs (docs/security.md). */
import type { AuditFields } from "@red/contract/evidence/audit-words";
import { formatDateTime } from "@red/contract/platform/datetime";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import { idAt } from "#platform/db/time-ids";

export interface Actor {
  readonly kind: "operator" | "key" | "redctl" | "system";
  /** Operator name, platform key or program name. */
  readonly name: string;
  readonly request_id: string | null;
  readonly address: string | null;
  /** The reason given with the call (behaviour §16). */
  readonly reason?: string | null;
}

/** The actor of changes that a server makes at its start. */
export const AT_START: Actor = { kind: "system", name: "start", request_id: null, address: null };

/** SQL: the lowest audit id of an instant. Audit ids are in time order. */
export const auditIdAt = idAt;

/**
 * One row of the audit log. It names players by references (player-names.ts), so it is never rewritten (`by_key`);
 * readers see the names.
 */
export interface AuditEntry {
  readonly action: string;
  readonly object_type: string;
  readonly object_id?: string | number | null;
  readonly before?: AuditFields | null;
  readonly after?: AuditFields | null;
  /** Other objects that the entry is about, by kind: prizes of a pool, records, players by their key. */
  readonly about?: Readonly<
    Partial<
      Record<"activity" | "pool" | "prize" | "record" | "player" | "operator", readonly number[]>
    >
  >;
}

async function insertRows(
  db: Db,
  actor: Actor,
  outcome: "done" | "refused",
  entries: readonly AuditEntry[],
): Promise<void> {
  const { kind: actor_kind, name, request_id, address, reason = null } = actor;
  const rows = entries.map(({ object_id = null, about = {}, ...entry }) => ({
    ...entry,
    object_id: object_id === null ? null : String(object_id),
    about: Object.entries(about).flatMap(([type, ids]) => ids.map((id) => [type, String(id)])),
    outcome,
    actor_kind,
    actor: name,
    request_id,
    address,
    reason,
  }));
  // All rows go in one JSON value: a parameter for each column would exceed the limit of a statement.
  await sql`
    with given as materialized (
      select ${auditIdAt(sql`at`)} + nextval('audit_slot') as id, at, r.row
      from json_array_elements(${JSON.stringify(rows)}::json) r (row)
      cross join lateral (select clock_timestamp() as at) now
    ), logged as (
      insert into audit_log (id, at, actor_kind, actor, action, object_type, object_id, outcome, before, after,
        request_id, address, reason, by_key)
      select g.id, g.at, x.actor_kind, x.actor, x.action, x.object_type, x.object_id, x.outcome, x.before, x.after,
        x.request_id, x.address, x.reason, true
      from given g cross join lateral json_populate_record(null::audit_log, g.row) x
    )
    insert into audit_about (object_type, object_id, audit_id)
    select distinct one ->> 0, one ->> 1, g.id
    from given g cross join lateral json_array_elements(g.row -> 'about') one`.execute(db);
}

/** Writes the audit rows of a change, one for each object, in the transaction of the change. */
export async function insertAudit(tx: Tx, actor: Actor, ...entries: AuditEntry[]): Promise<void> {
  await insertRows(tx, actor, "done", entries);
}

/** Writes the audit row of a refusal, outside of a change. */
export async function insertRefusal(db: Db, actor: Actor, entry: AuditEntry): Promise<void> {
  await insertRows(db, actor, "refused", [entry]);
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Converts the instants in the fields of a row to local times of the zone (behaviour §1). */
export function inZone<T>(fields: T, timeZone: string): T {
  // Only texts change, so the type stays the same.
  return JSON.parse(JSON.stringify(fields), (_, one: unknown) =>
    typeof one === "string" && INSTANT.test(one) ? formatDateTime(new Date(one), timeZone) : one,
  ) as T;
}

const ID = sql`case when l.object_id ~ '^[0-9]{1,15}$' then l.object_id::bigint end`;

/** SQL: the current name of the object of audit row `l`. */
export const OBJECT_NAME = sql`
  case l.object_type
    when 'activity' then (select rounds_name from activity where id = ${ID})
    when 'pool' then (select pool_name from pool where id = ${ID})
    when 'prize' then (select award_name from prize where id = ${ID})
    when 'operator' then (select name from operator where id = ${ID})
    when 'api_key' then (select name from api_key where key = l.object_id)
  end`;
