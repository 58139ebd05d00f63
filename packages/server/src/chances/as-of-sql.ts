/** Reads data as it was known at a past time (behaviour §4, as-of.sql). */
import { AppError } from "@red/contract/platform/errors";
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";

/**
 * Makes all later queries of a view read what was known at this time. Must be the first query of
 * the view. Throws as_of_not_past.
 */
export async function lookBack(view: Db, instant: Date): Promise<void> {
  // The lock excludes a migration, which creates the functions and views again (migrate.ts).
  const { rows } = await sql`
    select pg_advisory_xact_lock_shared(hashtext('functions')),
      set_config('search_path', 'as_of, pg_catalog, public', true)
    where ${instant}::timestamptz < statement_timestamp()`.execute(view);
  if (rows.length === 0) {
    throw new AppError("as_of_not_past");
  }
  // SET, unlike set_config, also takes effect on the machines over which players are distributed.
  await sql`set local as_of.instant = ${sql.lit(instant.toISOString())}`.execute(view);
}
