/** Queries of the demonstration (behaviour §7). */
import { ROUND_ACTIVE } from "@red/contract/platform/codes";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";

/** Lets only one process at a time create demonstration data. */
export async function lockDemo(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('demonstration'))`.execute(tx);
}

/**
 * Returns true if there is no activity, pool, player or record, not even a deleted one. Operators and keys may exist.
 */
export async function selectIsEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_empty: boolean }>`
    select not exists (select from activity) and not exists (select from pool)
      and not exists (select from player) and not exists (select from draw_record)
      as is_empty`.execute(db);
  return rows[0]?.is_empty === true;
}

/** Returns whether the round was ever created, also if it was deleted. */
export async function selectWasMade(
  db: Db,
  start_date: string,
  rounds_name: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("activity")
    .select("id")
    .where("start_date", "=", start_date)
    .where("rounds_name", "=", rounds_name)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the ids of the active rounds of a day, oldest first. */
export async function selectDrawableOn(db: Db, start_date: string): Promise<number[]> {
  const rows = await db
    .selectFrom("activity")
    .select("id")
    .where("start_date", "=", start_date)
    .where("rounds_status", "=", ROUND_ACTIVE)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
