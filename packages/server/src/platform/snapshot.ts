/**
 * How the verification reads: one snapshot of the whole database, beside whatever a server is doing,
 * and rows in pages, so that memory does not grow with the tables.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db } from "./connection.ts";

const PAGE_ROWS = 5_000;

const SETTINGS = [
  // It takes as long as it takes, who started it can end it; but a reader that takes nothing is let go.
  "statement_timeout = 0",
  "idle_in_transaction_session_timeout = '30min'",
  // The plan for all rows, not the one that shows the first row soonest.
  "cursor_tuple_fraction = 1",
  "work_mem = '32MB'",
  "jit = off",
  // Leaves the cores to a running server, and needs no shared memory, which containers are short of.
  "max_parallel_workers_per_gather = 0",
  "timezone = 'UTC'",
] as const;

async function settle(snapshot: Db): Promise<void> {
  for (const setting of SETTINGS) {
    await sql.raw(`set local ${setting}`).execute(snapshot);
  }
}

/** Runs `work` on one unchanging view of the database; nothing can be written through it. */
export async function inSnapshot<T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> {
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (snapshot) => {
      await settle(snapshot);
      return await work(snapshot);
    });
}

/** What `read` finds on one unchanging view of the database; who stops taking ends that view. */
export async function* fromSnapshot<T>(
  db: Db,
  read: (snapshot: Db) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  try {
    await settle(snapshot);
    yield* read(snapshot);
  } finally {
    await snapshot.rollback().execute();
  }
}

/** The rows of a query in pages, of a few thousand unless told; one stream of a snapshot at a time. */
export async function* streamRows<T>(
  snapshot: Db,
  query: RawBuilder<T>,
  pageRows = PAGE_ROWS,
): AsyncGenerator<T[]> {
  await sql`declare verify_rows no scroll cursor for ${query}`.execute(snapshot);
  try {
    for (;;) {
      const page = sql<T>`fetch forward ${sql.lit(pageRows)} from verify_rows`;
      const { rows } = await page.execute(snapshot);
      if (rows.length === 0) {
        return;
      }
      yield rows;
    }
  } finally {
    // A transaction that failed has closed it already, and why it failed is what has to be told.
    await sql`close verify_rows`.execute(snapshot).catch(() => {});
  }
}

/** How many rows a table has, with all its partitions. */
export async function countRows(snapshot: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(snapshot);
  return rows[0]?.count ?? 0;
}

/** Columns of a row by name, as JSON shows them. */
export type Values = Readonly<Record<string, unknown>>;

/** A row that contradicts an invariant. */
export interface Offence {
  readonly table: string;
  /** What identifies the row. */
  readonly ids: Values;
  /** Only what differs; null: there should be no such row. */
  readonly expected: Values | null;
  /** Only what differs; null: the row is missing. */
  readonly found: Values | null;
}

/** An offence as the queries answer it, with everything that was compared. */
export interface Compared {
  readonly ids: Values;
  readonly expected: Values | null;
  readonly found: Values | null;
}

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

/** The offence of a compared row: of the values of both sides only those that differ. */
export function offenceOf(table: string, { ids, expected, found }: Compared): Offence {
  if (expected === null || found === null) {
    return { table, ids, expected, found };
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  const differing = [...names].filter(
    (name) => JSON.stringify(expected[name]) !== JSON.stringify(found[name]),
  );
  return { table, ids, expected: pick(expected, differing), found: pick(found, differing) };
}

/**
 * The first of the rows that `offending` selects, null when there is none. It answers `ids`,
 * `expected` and `found` as jsonb, and `place`, by which the first is chosen.
 */
export async function selectFirstOffence(
  snapshot: Db,
  table: string,
  offending: RawBuilder<unknown>,
): Promise<Offence | null> {
  // Materialized, since planned for one row a search that finds nothing can take for ever.
  const { rows } = await sql<Compared>`
    with offending as materialized (${offending})
    select ids, expected, found from offending order by place limit 1`.execute(snapshot);
  const [row] = rows;
  return row === undefined ? null : offenceOf(table, row);
}
