/** Damages a sound database in a transaction that is rolled back. */
import { verifySnapshot } from "#evidence/verify";
import type { Db } from "#platform/connection";
import { sql } from "kysely";

/** Offences after these statements, by check; checks that hold are left out. */
export async function offencesAfter(db: Db, ...statements: readonly string[]) {
  const tx = await db.startTransaction().execute();
  try {
    // Disables foreign keys and triggers; statements drop constraints themselves. Rollups still count: damage
    // to them is planted in them.
    for (const list of ["deposit", "bet", "payout"]) {
      await sql
        .raw(`alter table ${list} enable always trigger rollup_update,
        enable always trigger rollup_delete`)
        .execute(tx);
    }
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`set local timezone = 'UTC'`.execute(tx);
    for (const statement of statements) {
      await sql.raw(statement).execute(tx);
    }
    const { checks } = await verifySnapshot(tx);
    return Object.fromEntries(
      checks.flatMap(({ name, offence }) => (offence === null ? [] : [[name, offence]])),
    );
  } finally {
    await tx.rollback().execute();
  }
}

/** Numbers in every column but those that the test reads as text. */
export async function oneRow<T = Record<string, number>>(db: Db, query: string): Promise<T> {
  const { rows } = await sql.raw<T>(query).execute(db);
  const [row] = rows;
  if (row === undefined) {
    throw new Error(`no row: ${query}`);
  }
  return row;
}
