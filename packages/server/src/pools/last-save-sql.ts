import { formatDateTime } from "@red/contract/platform/datetime";
import type { LastSave } from "@red/contract/platform/fields";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/db/connection";

async function toLastSave(
  db: Db,
  query: RawBuilder<{ actor: string; at: Date }>,
  timeZone: string,
): Promise<LastSave> {
  const [last] = (await query.execute(db)).rows;
  return last === undefined ? null : { by: last.actor, at: formatDateTime(last.at, timeZone) };
}

/** Reads the audit log. Pausing a round does not count, because it changes nothing that the form shows. */
export async function selectRoundSave(db: Db, id: number, timeZone: string): Promise<LastSave> {
  const query = sql<{ actor: string; at: Date }>`
    select actor, at from audit_log
    where outcome = 'done' and object_type = 'activity' and object_id = ${String(id)}
      and action in ('create_activity', 'copy_activity', 'update_activity')
    order by id desc limit 1`;
  return await toLastSave(db, query, timeZone);
}

/**
 * Finds the newest pool version that changed the prize. Every way to save a prize creates a pool
 * version: form, grid, file or restored version.
 */
export async function selectPrizeSave(
  db: Db,
  { id, pool_id }: { readonly id: number; readonly pool_id: number },
  timeZone: string,
): Promise<LastSave> {
  const query = sql<{ actor: string; at: Date }>`
    select v.saved_by as actor, v.created_at as at
    from pool_version v
    left join pool_version b on b.pool_id = v.pool_id and b.version = v.version - 1
    cross join lateral (
      select jsonb_path_query_first(v.prizes, '$[*] ? (@.id == $id)', x.id) as is,
        jsonb_path_query_first(b.prizes, '$[*] ? (@.id == $id)', x.id) as was
      from jsonb_build_object('id', ${id}::integer) as x (id)
    ) z
    where v.pool_id = ${pool_id} and v.saved_by is not null and z.is is distinct from z.was
    order by v.version desc limit 1`;
  return await toLastSave(db, query, timeZone);
}
