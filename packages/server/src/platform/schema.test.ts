import { readFile } from "node:fs/promises";
import { migrate } from "./migrate.ts";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";

const t = useTestDb();

interface Stored {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly is_null: boolean }[];
}

/** Tables of migrations, without partitions and the list of migrations. */
async function selectTables(): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select t.relname as name,
      (select json_agg(json_build_object('name', c.attname, 'is_null', not c.attnotnull))
        from pg_attribute c
        where c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped) as columns
    from pg_class t
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
      and not t.relispartition and t.relname not like 'schema_migration%'`.execute(t.db);
  return rows;
}

test("migrating creates the functions again, whatever they had become", async () => {
  await sql`create or replace function payouts_stopped() returns boolean
    language sql as 'select true'`.execute(t.db);
  expect(await migrate(t.db)).toEqual([]);
  const { rows } = await sql`select payouts_stopped() as stopped`.execute(t.db);
  expect(rows).toEqual([{ stopped: false }]);
});

test("the row types name the columns of every table, and which of them may be null", async () => {
  const files = ["schema.ts", "schema-outside.ts", "schema-players.ts"];
  const texts = files.map((file) => readFile(new URL(file, import.meta.url), "utf8"));
  const source = (await Promise.all(texts)).join("\n");
  const types = new Map(
    [...source.matchAll(/^(?:export )?interface (\w+) \{\n(.*?)^\}/gms)].map(
      ([, type = "", body = ""]) => [
        type,
        [...body.matchAll(/^ {2}(\w+): ([^;]+);/gm)]
          .map(([, column, of = ""]) => `${column}${/\bnull\b/.test(of) ? "?" : ""}`)
          .toSorted(),
      ],
    ),
  );
  const [, list = ""] = /^export interface Database \{\n(.*?)^\}/ms.exec(source) ?? [];
  const typed = [...list.matchAll(/(\w+): (\w+);/g)].map(([, table, type = ""]) => [
    table,
    types.get(type),
  ]);
  const stored = (await selectTables()).map(({ name, columns }) => [
    name,
    columns.map((column) => `${column.name}${column.is_null ? "?" : ""}`).toSorted(),
  ]);
  expect(Object.fromEntries(typed)).toEqual(Object.fromEntries(stored));
});
