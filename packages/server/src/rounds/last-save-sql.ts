/** Who saved a round or a prize last, by the audit log. */
import { formatDateTime } from "@red/contract/datetime";
import type { LastSave } from "@red/contract/fields";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "#platform/connection";

async function selectLast(
  db: Db,
  isSave: RawBuilder<unknown>,
  timeZone: string,
): Promise<LastSave> {
  const { rows } = await sql<{ actor: string; at: Date }>`
    select actor, at from audit_log where outcome = 'done' and ${isSave}
    order by id desc limit 1`.execute(db);
  const [last] = rows;
  return last === undefined ? null : { by: last.actor, at: formatDateTime(last.at, timeZone) };
}

/** Pausing saves nothing that the form shows. */
export async function selectRoundSave(db: Db, id: number, timeZone: string): Promise<LastSave> {
  const isSave = sql`object_type = 'activity' and object_id = ${String(id)}
    and action in ('create_activity', 'copy_activity', 'update_activity')`;
  return await selectLast(db, isSave, timeZone);
}

/** An import names its pools, of which it may have several. */
export async function selectPrizeSave(
  db: Db,
  { id, pool_id }: { readonly id: number; readonly pool_id: number },
  timeZone: string,
): Promise<LastSave> {
  const isSave = sql`(object_type = 'prize' and object_id = ${String(id)}
    or object_type = 'pool' and action in ('import_prizes', 'copy_pool')
      and ${String(pool_id)} = any (string_to_array(object_id, ',')))`;
  return await selectLast(db, isSave, timeZone);
}
