/** A sound database, falsified by hand inside a transaction that is rolled back afterwards. */
import { verifySnapshot } from "#evidence/verify";
import type { Db } from "#platform/connection";
import type { Offence } from "#platform/snapshot";
import { sql } from "kysely";

/** What every check finds after these statements, by the name of the check; those that hold are left out. */
export async function offencesAfter(
  db: Db,
  ...statements: readonly string[]
): Promise<Record<string, Offence>> {
  const tx = await db.startTransaction().execute();
  try {
    // Neither foreign keys nor triggers stand in the way; constraints are dropped where they would.
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

/** The first row of a query, with numbers in every column but those that the test reads as text. */
export async function oneRow<T = Record<string, number>>(db: Db, query: string): Promise<T> {
  const { rows } = await sql.raw<T>(query).execute(db);
  const [row] = rows;
  if (row === undefined) {
    throw new Error(`no row: ${query}`);
  }
  return row;
}
