import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { migrate, migrateTo, readSchemaState, schemaFault } from "./migrate.ts";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();

interface Stored {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly is_null: boolean }[];
}

/** Returns the tables that migrations create, without partitions and without the list of migrations. */
async function selectTables(): Promise<Stored[]> {
  return await t.sql<Stored>`
    select t.relname as name,
      (select json_agg(json_build_object('name', c.attname, 'is_null', not c.attnotnull))
        from pg_attribute c
        where c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped) as columns
    from pg_class t
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
      and not t.relispartition and t.relname not like 'schema_migration%'`;
}

test("migrating creates the functions again, whatever they had become", async () => {
  await t.sql`create or replace function payouts_stopped() returns boolean
    language sql as 'select true'`;
  expect(await migrate(t.db)).toEqual([]);
  const rows = await t.sql`select payouts_stopped() as stopped`;
  expect(rows).toEqual([{ stopped: false }]);
});

test("an older program leaves a newer schema as it is, or says that it is too old", async () => {
  await t.sql`insert into schema_migration values ('9998-newer', '')`;
  await t.sql`create or replace function payouts_stopped() returns boolean
    language sql as 'select null::boolean'`;
  expect(await migrate(t.db)).toEqual([]);
  expect(await t.sql`select payouts_stopped() as stopped`).toEqual([{ stopped: null }]);
  expect(schemaFault(await readSchemaState(t.db))).toBeNull();
  await t.sql`comment on table schema_migration is '9998-newer'`;
  await expect(migrate(t.db)).rejects.toThrow("too old for the database, which needs 9998-newer");
  await t.sql`delete from schema_migration where name = '9998-newer'`;
  await t.sql`comment on table schema_migration is null`;
  await t.sql`comment on table installation is '1000.0.0'`;
  await migrate(t.db);
  expect(await t.sql`select payouts_stopped() as stopped`).toEqual([{ stopped: null }]);
});

test("a database that ran all migrations of release 0.2.0 is left as it is", async () => {
  await t.sql`insert into schema_migration values ('0001-promotion', '2026-11-01'), ('0072-ladder', '2026-11-02')`;
  expect(await migrate(t.db)).toEqual([]);
  const state = await readSchemaState(t.db);
  expect(state).toMatchObject({ pending: [], ahead: [], database: "0073-risked" });
  expect(schemaFault(state)).toBeNull();
});

test("a database or a backup before them is refused, and release 0.2.0 is named", async () => {
  const [baseline] = await t.sql<{ name: string; timestamp: string }>`
    delete from schema_migration where name = '0073-risked' returning *`;
  const refusal =
    "the database (0072-ladder) is older than release 0.2.0: start that release on it first";
  await expect(migrate(t.db)).rejects.toThrow(refusal);
  await expect(migrateTo(t.db, ["0073-risked"])).rejects.toThrow(refusal);
  expect(schemaFault(await readSchemaState(t.db))).toBe(refusal);
  await t.sql`delete from schema_migration where name = '0072-ladder'`;
  await t.sql`insert into schema_migration values (${baseline?.name}, ${baseline?.timestamp})`;
  await expect(migrateTo(t.db, ["0001-promotion", "0072-ladder"])).rejects.toThrow(
    "the backup is older than release 0.2.0: restore it with that release first",
  );
});

test("the row types name the columns of every table, and which of them may be null", async () => {
  const files = ["schema.ts", "schema-others.ts"];
  const texts = files.map((file) => readFile(new URL(file, import.meta.url), "utf8"));
  const source = (await Promise.all(texts)).join("\n");
  const typed = new Map(
    [...source.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\};/gms)].map(([, table, body = ""]) => [
      table,
      [...body.matchAll(/^ {4}(\w+): ([^;]+);/gm)]
        .map(([, column, of = ""]) => `${column}${/\bnull\b/.test(of) ? "?" : ""}`)
        .toSorted(),
    ]),
  );
  for (const [, table, of] of source.matchAll(/^ {2}(\w+): Database\["(\w+)"\];/gm)) {
    typed.set(table, typed.get(of) ?? []);
  }
  const stored = (await selectTables()).map(({ name, columns }) => [
    name,
    columns.map((column) => `${column.name}${column.is_null ? "?" : ""}`).toSorted(),
  ]);
  expect(Object.fromEntries(typed)).toEqual(Object.fromEntries(stored));
});

const FOLDER = new URL("./migrations/", import.meta.url);

/** A migration never changes, or databases would differ. Add a line here for each new migration. */
const SHA256: Readonly<Record<string, string>> = {
  "0073-baseline.sql": "aa9e7331a005418cfdefcefcddd3b249971b7490174aee9de1721e0f4cebfe99",
};

test("no migration is changed or removed, and a new one comes last", async () => {
  const files = (await readdir(FOLDER)).toSorted();
  const hashes = files.map(async (file) => {
    const text = await readFile(new URL(file, FOLDER));
    return [file, createHash("sha256").update(text).digest("hex")] as const;
  });
  expect(Object.fromEntries(await Promise.all(hashes))).toEqual(SHA256);
  expect(Object.keys(SHA256)).toEqual(files);
});
