/** Reads and changes rows directly. Values of columns select the rows; without values, all rows. */
import type { Db } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";

type Row<T extends keyof Database> = Selectable<Database[T]>;

type Values<T extends keyof Database> = {
  readonly [C in keyof Row<T>]?: Row<T>[C] | RawBuilder<Row<T>[C]>;
};

const equations = (of: object) =>
  Object.entries(of).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);

const matching = (of: object) => sql.join([sql`true`, ...equations(of)], sql` and `);

export async function rowsOf<T extends keyof Database>(db: Db, table: T, of: Values<T> = {}) {
  const { rows } = await sql<Row<T>>`
    select * from ${sql.table(table)} where ${matching(of)}`.execute(db);
  return rows;
}

/** The first selected row; throws if there is none. */
export async function rowOf<T extends keyof Database>(db: Db, table: T, of: Values<T> = {}) {
  const [row] = await rowsOf(db, table, of);
  if (row === undefined) {
    throw new Error(`no row of ${table}`);
  }
  return row;
}

/** These columns of the audit trail, oldest first. */
export async function auditsOf<C extends keyof Row<"audit_log">>(
  db: Db,
  columns: readonly C[],
  of: Values<"audit_log"> = {},
) {
  const { rows } = await sql<Pick<Row<"audit_log">, C>>`
    select ${sql.join(columns.map((name) => sql.ref(name)))} from audit_log
    where ${matching(of)} order by id`.execute(db);
  return rows;
}

export async function changeRows<T extends keyof Database>(
  db: Db,
  table: T,
  of: Values<T>,
  values: Values<T>,
) {
  const changes = sql.join(equations(values));
  await sql`update ${sql.table(table)} set ${changes} where ${matching(of)}`.execute(db);
}
