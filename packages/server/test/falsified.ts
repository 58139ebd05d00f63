/** Damages a healthy database in a transaction that is rolled back. */
import { verifySnapshot } from "#evidence/verify";
import type { Db, Tx } from "#platform/db/connection";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";

export type Tamper = RawBuilder<unknown> | ((db: Db) => Promise<unknown>);

/** Runs `tamper` without foreign keys and triggers, returns what `look` sees, and rolls back. */
export async function tampered<T>(db: Db, tamper: Tamper, look: (tx: Tx) => Promise<T>) {
  const tx = await db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(tx);
    await (typeof tamper === "function" ? tamper(tx) : tamper.execute(tx));
    return await look(tx);
  } finally {
    await tx.rollback().execute();
  }
}

/** The offences after these statements, by check; checks without an offence are left out. */
export async function offencesAfter(db: Db, ...statements: readonly string[]) {
  // Statements drop constraints themselves. The triggers of rollups stay on: their damage is planted directly.
  const counting = ["deposit", "bet", "payout"].map(
    (list) => `alter table ${list} enable always trigger rollup_update,
      enable always trigger rollup_delete`,
  );
  const damage = async (tx: Db) => {
    for (const statement of [...counting, "set local timezone = 'UTC'", ...statements]) {
      await sql.raw(statement).execute(tx);
    }
  };
  const { checks } = await tampered(db, damage, verifySnapshot);
  return Object.fromEntries(
    checks.flatMap(({ name, offence }) => (offence === null ? [] : [[name, offence]])),
  );
}

/** Reads every column as a number, except those that the test reads as text. */
export async function oneRow<T = Record<string, number>>(db: Db, query: string): Promise<T> {
  const { rows } = await sql.raw<T>(query).execute(db);
  const [row] = rows;
  if (row === undefined) {
    throw new Error(`no row: ${query}`);
  }
  return row;
}
