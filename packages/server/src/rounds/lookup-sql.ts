/** Activity groups (`tag`) and preset codes of in-site messages (`red_code`). These rows are never deleted. */
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";

const TABLES = { tag: sql.table("activity_tag"), red_code: sql.table("message_code") };

/** The kind of a look-up table. It is also the name of the key column, in the database and in the API. */
export type LookupKind = keyof typeof TABLES;

export type LookupRow<K extends LookupKind> = Readonly<Record<K | "label", string>>;

export async function selectLookups<K extends LookupKind>(
  db: Db,
  kind: K,
): Promise<LookupRow<K>[]> {
  const { rows } = await sql<LookupRow<K>>`
    select ${sql.ref(kind)}, label from ${TABLES[kind]} order by ${sql.ref(kind)}`.execute(db);
  return rows;
}

export async function selectHasTag(db: Db, tag: string): Promise<boolean> {
  return (await selectLookups(db, "tag")).some((row) => row.tag === tag);
}

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

export async function updateLookup<K extends LookupKind>(
  tx: Tx,
  kind: K,
  row: LookupRow<K>,
): Promise<void> {
  await sql`
    update ${TABLES[kind]} set label = ${row.label}
    where ${sql.ref(kind)} = ${row[kind]}`.execute(tx);
}
