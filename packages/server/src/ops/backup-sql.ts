/** Copies tables and rows with COPY, because the embedded database has no dump programs. */
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import type { CopyStreamQuery } from "pg-copy-streams";

/**
 * Tables that a backup leaves out. Operators sign in again, nonces are valid only for minutes, and the target has its
 * own migrations. Triggers count restored rows into the rollups, and the worker creates chunks again.
 */
const LEFT_OUT = [
  "event_chunk",
  "session",
  "ticket",
  "login_failure",
  "nonce",
  "drawn_prize",
  "rollup",
  "rollup_delta",
  "schema_migration",
  "schema_migration_lock",
];

/** After a restore, ids continue after this gap, so that ids used since the backup are not used twice. */
const IDENTITY_GAP = 1_000;

export interface TableShape {
  readonly table: string;
  /** Excludes generated columns. */
  readonly columns: readonly string[];
}

export interface PartitionShape {
  readonly parent: string;
  readonly name: string;
}

interface TableRow extends TableShape {
  readonly parents: readonly string[];
}

/** Sorts tables so that each table comes after the tables that it refers to. */
function parentsFirst(tables: readonly TableRow[]): TableShape[] {
  const sorted: TableShape[] = [];
  const done = new Set<string>();
  let waiting = [...tables];
  while (waiting.length > 0) {
    const ready = waiting.filter((one) =>
      one.parents.every((parent) => done.has(parent) || parent === one.table),
    );
    if (ready.length === 0) {
      throw new Error(`tables refer to each other in a circle: ${waiting[0]?.table}`);
    }
    for (const { table, columns } of ready) {
      sorted.push({ table, columns });
      done.add(table);
    }
    waiting = waiting.filter((one) => !done.has(one.table));
  }
  return sorted;
}

/**
 * Returns parent tables first. Deposits and bets come after players, also in a cluster, where they have no
 * foreign key to players.
 */
export async function selectTables(client: pg.ClientBase): Promise<TableShape[]> {
  const { rows } = await client.query<TableRow>(
    `select c.relname as table,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')
         as columns,
       array(
         select distinct p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
         where f.conrelid = c.oid and f.contype = 'f' and p.relname <> all ($1)
         union select 'player' where c.relname in ('deposit', 'bet')
       ) as parents
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relname <> all ($1)
     order by c.relname`,
    [LEFT_OUT],
  );
  return parentsFirst(rows);
}

export async function selectPartitions(client: pg.ClientBase): Promise<PartitionShape[]> {
  const { rows } = await client.query<PartitionShape>(
    `select p.relname as parent, c.relname as name
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where c.relispartition and c.relkind = 'r' and p.relkind = 'p'
       and p.relnamespace = 'public'::regnamespace
     order by 1, 2`,
  );
  return rows;
}

/** Creates partitions with the functions of the database. */
export async function makePartitions(
  client: pg.ClientBase,
  partitions: readonly PartitionShape[],
): Promise<void> {
  for (const { parent, name } of partitions) {
    const number = /_(\d{6})$/.exec(name)?.[1];
    if (number === undefined) {
      throw new Error(`${name} is no part of ${parent} that can be made`);
    }
    if (parent === "draw_record") {
      await client.query("select ensure_draw_partition($1)", [Number(number) * 64]);
    } else {
      await client.query("select ensure_month($1, to_date($2, 'YYYYMM'))", [parent, number]);
    }
  }
}

function listed(client: pg.ClientBase, columns: readonly string[]): string {
  return columns.map((column) => client.escapeIdentifier(column)).join(", ");
}

/** Returns rows in the text format of COPY. */
export function readTable(
  client: pg.ClientBase,
  { table, columns }: TableShape,
): AsyncIterable<Buffer> {
  const query = `copy (select ${listed(client, columns)} from ${client.escapeIdentifier(table)}) to stdout`;
  return client.query(copyTo(query));
}

/** Accepts rows in the format of `readTable`. */
export function writeTable(client: pg.ClientBase, { table, columns }: TableShape): CopyStreamQuery {
  const query = `copy ${client.escapeIdentifier(table)} (${listed(client, columns)}) from stdin`;
  return client.query(copyFrom(query));
}

/** Moves every sequence well beyond the restored rows. */
export async function skipNumbers(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column,
       pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and a.attidentity <> '' and not c.relispartition`,
  );
  for (const { table, column, sequence } of rows) {
    const [id, name] = [client.escapeIdentifier(column), client.escapeIdentifier(table)];
    await client.query(
      `select setval($1::regclass, coalesce(max(${id}), 0) + ${IDENTITY_GAP}) from ${name}
       having max(${id}) is not null`,
      [sequence],
    );
  }
}
