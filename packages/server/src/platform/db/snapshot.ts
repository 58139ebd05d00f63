/** How the verification reads: one snapshot, with rows in pages so that memory stays bounded. */
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { inOneView } from "./connection.ts";
import type { Db } from "./connection.ts";
import { withNames } from "#platform/player-names";

const PAGE_ROWS = 5_000;

const SETTINGS = [
  // A verification may take long; a reader that stalls is cut off.
  "statement_timeout = 0",
  "idle_in_transaction_session_timeout = '30min'",
  // Plan for all rows, not for the first one.
  "cursor_tuple_fraction = 1",
  "work_mem = '32MB'",
  "jit = off",
  // Leave the cores to the server; and containers are short of shared memory.
  "max_parallel_workers_per_gather = 0",
  "timezone = 'UTC'",
  "datestyle = 'ISO'",
] as const;

async function applySettings(snapshot: Db): Promise<void> {
  for (const setting of SETTINGS) {
    await sql.raw(`set local ${setting}`).execute(snapshot);
  }
}

/** Runs `work` on a read-only snapshot of the database. */
export async function inSnapshot<T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> {
  return await inOneView(db, async (snapshot) => {
    await applySettings(snapshot);
    return await work(snapshot);
  });
}

/** What `read` yields from a snapshot, as it is stored; the snapshot ends with the generator. */
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

/** As `storedFromSnapshot`, for people: with the names of players put in (player-names.ts). */
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

/** The rows of a query in pages, the next one read ahead; one such stream at a time per snapshot. */
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
      // Awaited by the next turn, which may never come.
      reading.catch(() => {});
      // It is sent before this page keeps the thread busy.
      await setImmediate();
      yield rows;
    }
  } finally {
    // A failed transaction has closed it already, and its own error is the one to report.
    await sql`close verify_rows`.execute(snapshot).catch(() => {});
  }
}

/** Texts from outside may hold it, so `plainText` takes it out. */
const SEPARATOR = "\u001F";

/** SQL: a text without the character that `streamTexts` puts between columns. */
export const plainText = (text: RawBuilder<unknown>) => sql`replace(${text}, ${SEPARATOR}, '')`;

/** So few that a page is garbage before it is moved to old memory. */
const TEXT_PAGE_ROWS = 1_000;
/** Yielded at a time: what a caller makes of them keeps the thread from other requests for a few milliseconds. */
const TEXT_SLICE_ROWS = 100;

/**
 * The rows of a query as the database writes their columns, null as an empty text, times in UTC: for a million rows,
 * as one column, this takes a fraction of reading each value.
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

/** What the queries answer, with all compared values. */
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
 * A template tag: looks for the first row by `place` that contradicts an invariant; null when there is none. The query
 * selects `place`, and `ids`, `expected`, `found` as jsonb.
 */
export function firstOffence(
  table: string,
): (...offending: Parameters<typeof sql>) => (snapshot: Db) => Promise<Offence | null> {
  return (...offending) =>
    async (snapshot) => {
      // Materialized: a plan for one row can take forever when there is none.
      const { rows } = await sql<Compared>`
        with offending as materialized (${sql(...offending)})
        select ids, expected, found from offending order by place limit 1`.execute(snapshot);
      const [row] = rows;
      return row === undefined ? null : offenceOf(table, row);
    };
}
