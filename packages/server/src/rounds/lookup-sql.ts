/**
 * Activity groups (`tag`) and preset in-site message codes (`red_code`): small tables of a key and what
 * it is called. Their rows are never deleted.
 */
import { sql } from "kysely";
import type { Db, Tx } from "#platform/connection";

const TABLES = { tag: sql.table("activity_tag"), red_code: sql.table("message_code") };

/** A kind of look-up; it is also what the column of its keys is called, here and on the wire. */
export type LookupKind = keyof typeof TABLES;

/** A row of the table: its key under the name of the kind, and the label. */
export type LookupRow<K extends LookupKind> = Readonly<Record<K | "label", string>>;

/** Every row, in the order of the keys. */
export async function selectLookups<K extends LookupKind>(
  db: Db,
  kind: K,
): Promise<LookupRow<K>[]> {
  const { rows } = await sql<LookupRow<K>>`
    select ${sql.ref(kind)}, label from ${TABLES[kind]} order by ${sql.ref(kind)}`.execute(db);
  return rows;
}

/** Is there a group of this key? */
export async function selectHasTag(db: Db, tag: string): Promise<boolean> {
  return (await selectLookups(db, "tag")).some((row) => row.tag === tag);
}

/** Adds a row; false when its key is taken. */
export async function insertLookup<K extends LookupKind>(
  tx: Tx,
  kind: K,
  row: LookupRow<K>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into ${TABLES[kind]} (${sql.ref(kind)}, label) values (${row[kind]}, ${row.label})
    on conflict do nothing returning label`.execute(tx);
  return rows.length > 0;
}

/** Locks a row for a change of its label; null when there is none. */
export async function lockLookup<K extends LookupKind>(
  tx: Tx,
  kind: K,
  key: string,
): Promise<LookupRow<K> | null> {
  const { rows } = await sql<LookupRow<K>>`
    select ${sql.ref(kind)}, label from ${TABLES[kind]} where ${sql.ref(kind)} = ${key}
    for no key update`.execute(tx);
  return rows[0] ?? null;
}

/** Gives a locked row another label. */
export async function updateLookup<K extends LookupKind>(
  tx: Tx,
  kind: K,
  row: LookupRow<K>,
): Promise<void> {
  await sql`
    update ${TABLES[kind]} set label = ${row.label}
    where ${sql.ref(kind)} = ${row[kind]}`.execute(tx);
}
