/** Reads one snapshot of the database for the verification, in pages so that memory stays bounded. */
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { inOneView } from "./connection.ts";
import type { Db } from "./connection.ts";
import { withNames } from "#platform/player-names";

const PAGE_ROWS = 5_000;

const SETTINGS = [
  // A verification may take long, but a reader that stops reading is disconnected.
  "statement_timeout = 0",
  "idle_in_transaction_session_timeout = '30min'",
  // The planner optimizes for reading all rows, not for the first row.
  "cursor_tuple_fraction = 1",
  "work_mem = '32MB'",
  "jit = off",
  // Parallel workers would take cores from the server, and containers have little shared memory.
  "max_parallel_workers_per_gather = 0",
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
] as const;

async function applySettings(snapshot: Db): Promise<void> {
  for (const setting of SETTINGS) {
    await sql.raw(`set local ${setting}`).execute(snapshot);
  }
}

export async function inSnapshot<T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> {
  return await inOneView(db, async (snapshot) => {
    await applySettings(snapshot);
    return await work(snapshot);
  });
}

/**
 * Yields what `read` yields from a snapshot, with stored references unchanged. The snapshot ends with the generator.
 */
export async function* storedFromSnapshot<T>(
  db: Db,
  read: (snapshot: Db) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  try {
    await applySettings(snapshot);
    yield* read(snapshot);
  } finally {
    await snapshot.rollback().execute();
  }
}

/** Like `storedFromSnapshot`, but replaces references with the names of players (player-names.ts). */
export async function* fromSnapshot<T>(
  db: Db,
  read: (snapshot: Db) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  yield* storedFromSnapshot(db, async function* named(snapshot) {
    for await (const page of read(snapshot)) {
      yield await withNames(snapshot, page);
    }
  });
}

/**
 * Yields the rows of a query in pages and reads the next page ahead. A snapshot allows only one such stream at a time.
 */
export async function* streamRows<T>(
  snapshot: Db,
  query: RawBuilder<T>,
  pageRows = PAGE_ROWS,
): AsyncGenerator<T[]> {
  await sql`declare verify_rows no scroll cursor for ${query}`.execute(snapshot);
  const read = () => sql<T>`fetch forward ${sql.lit(pageRows)} from verify_rows`.execute(snapshot);
  let reading = read();
  try {
    for (;;) {
      const { rows } = await reading;
      if (rows.length === 0) {
        return;
      }
      reading = read();
      // The next turn of the loop awaits this promise. If there is no next turn, an error must not stay unhandled.
      reading.catch(() => {});
      // Sends the query before the caller keeps the thread busy with this page.
      await setImmediate();
      yield rows;
    }
  } finally {
    // A failed transaction has already closed the cursor. The caller should receive the original error.
    await sql`close verify_rows`.execute(snapshot).catch(() => {});
  }
}

/** Separates the columns in `streamTexts`. Texts from outside may contain it, so `plainText` removes it. */
const SEPARATOR = "\u001F";

export const plainText = (text: RawBuilder<unknown>) => sql`replace(${text}, ${SEPARATOR}, '')`;

/** Rows per page. A small page is freed before the garbage collector moves it to old memory. */
const TEXT_PAGE_ROWS = 1_000;
/** Rows per yield. The caller's work on these rows blocks other requests for a few milliseconds only. */
const TEXT_SLICE_ROWS = 100;

/**
 * Yields the columns of a query as texts: null as an empty text, times in UTC. The database joins the columns into one,
 * which for a million rows takes a fraction of the time of reading each value.
 */
export async function* streamTexts<K extends string>(
  snapshot: Db,
  columns: Readonly<Record<K, RawBuilder<unknown>>>,
  from: RawBuilder<unknown>,
): AsyncGenerator<Readonly<Record<K, string>>[]> {
  const names = Object.keys(columns) as K[];
  const texts = names.map((name) => sql`coalesce((${columns[name]})::text, '')`);
  const lines = sql<{ line: string }>`
    select concat_ws(${SEPARATOR}, ${sql.join(texts)}) as line ${from}`;
  const rowOf = ({ line }: { readonly line: string }) => {
    const row = {} as Record<K, string>;
    const values = line.split(SEPARATOR);
    for (let at = 0; at < names.length; at += 1) {
      row[names[at] as K] = values[at] ?? "";
    }
    return row;
  };
  for await (const page of streamRows(snapshot, lines, TEXT_PAGE_ROWS)) {
    for (let at = 0; at < page.length; at += TEXT_SLICE_ROWS) {
      yield page.slice(at, at + TEXT_SLICE_ROWS).map(rowOf);
      await setImmediate();
    }
  }
}

export async function countRows(snapshot: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(snapshot);
  return rows[0]?.count ?? 0;
}

export type Values = Readonly<Record<string, unknown>>;

/** A row that violates an invariant. */
export interface Offence {
  readonly table: string;
  /** The columns that identify the row. */
  readonly ids: Values;
  /** Only the values that differ. Null means that the row should not exist. */
  readonly expected: Values | null;
  /** Only the values that differ. Null means that the row is missing. */
  readonly found: Values | null;
}

/** A result row of a check, with all compared values. */
type Compared = Omit<Offence, "table">;

function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}

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
 * Template tag for a query. Finds the first row by `place` that violates an invariant; null if no row does. The query
 * must select `place`, and `ids`, `expected` and `found` as jsonb.
 */
export function firstOffence(
  table: string,
): (...offending: Parameters<typeof sql>) => (snapshot: Db) => Promise<Offence | null> {
  return (...offending) =>
    async (snapshot) => {
      // Materialized, because a plan for one row can take very long if no row matches.
      const { rows } = await sql<Compared>`
        with offending as materialized (${sql(...offending)})
        select ids, expected, found from offending order by place limit 1`.execute(snapshot);
      const [row] = rows;
      return row === undefined ? null : offenceOf(table, row);
    };
}
