/** Brings the schema up to date: migrations by name, then the database's functions from their rooms. */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Migrator, sql } from "kysely";
import type { Migration, MigrationResultSet } from "kysely";
import { inTransaction } from "./connection.ts";
import type { Db } from "./connection.ts";
import { hasSqlState } from "./constraints.ts";
import { failpoint } from "#platform/failpoint";
import release from "#release" with { type: "json" };

/* The folder of the rooms; the bundle keeps the files in the same places beside itself. */
const ROOMS = new URL(import.meta.url.endsWith(".ts") ? "../../" : "./", import.meta.url);
const FOLDER = new URL("platform/db/migrations/", ROOMS);

/**
 * The name of the baseline in every database: that of the last migration of release 0.2.0, whose schema it is. A database
 * that ran all migrations of that release is at the baseline, and processes of both releases work on it.
 */
const BASELINE = "0073-risked";

/** The text of a migration, with the files that `\ir` includes, as in psql. */
async function readText(file: URL): Promise<string> {
  const parts = (await readFile(file, "utf8")).split(/^\\ir (.+)$/m);
  const texts = parts.map(async (part, at) =>
    at % 2 === 0 ? part : await readFile(new URL(part, file), "utf8"),
  );
  return (await Promise.all(texts)).join("");
}

async function readFolder(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).toSorted();
  const migrations: Record<string, Migration> = {};
  for (const file of files) {
    const text = await readText(new URL(file, FOLDER));
    migrations[file.replace(/\.sql$/, "").replace("0073-baseline", BASELINE)] = {
      up: async (db) => {
        await sql.raw(`set local lock_timeout = ${LOCK_MS}; ${text}`).execute(db);
        failpoint("migration_run");
      },
    };
  }
  return migrations;
}

let read: ReturnType<typeof readFolder> | null = null;

/** Those that this process was started with: a newer release may be unpacked beside it, or in its place. */
const readMigrations = () => (read ??= readFolder());

/** `former` ran already; Kysely accepts a database only with a migration for each name in it. */
function migrator(db: Db, { former }: SchemaState): Migrator {
  const done = Object.fromEntries(former.map((name) => [name, { up: async () => {} }]));
  return new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...done, ...(await readMigrations()) }) },
    migrationTableName: "schema_migration",
    migrationLockTableName: "schema_migration_lock",
  });
}

function resultsOf({ error, results = [] }: MigrationResultSet) {
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error("migration failed", { cause: error });
  }
  return results;
}

/** What a program and its database know of each other's schema: names of migrations. */
export interface SchemaState {
  /** Migrations of release 0.2.0 and before, for which the baseline stands. */
  readonly former: readonly string[];
  /** Migrations that this program has and the database lacks; none can run on one before the baseline. */
  readonly pending: readonly string[];
  /** Migrations of a newer program. */
  readonly ahead: readonly string[];
  /** The newest of this program. */
  readonly program: string;
  readonly database: string;
  /** A program whose newest migration is older does not work with this database: the comment of schema_migration. */
  readonly oldest: string;
}

const isBeforeBaseline = (database: string) => database !== "" && database < BASELINE;

/** Cheap enough for a probe. */
export async function readSchemaState(db: Db): Promise<SchemaState> {
  const known = Object.keys(await readMigrations());
  const { rows } = await sql<{ ran: string[]; oldest: string | null }>`
    select array(select name from schema_migration order by name) as ran,
      obj_description('schema_migration'::regclass, 'pg_class') as oldest`
    .execute(db)
    .catch((fault: unknown) => {
      if (hasSqlState(fault, "42P01")) {
        return { rows: [] };
      }
      throw fault;
    });
  const { ran = [], oldest = null } = rows[0] ?? {};
  const database = ran.at(-1) ?? "";
  return {
    former: ran.filter((name) => name < BASELINE),
    pending: isBeforeBaseline(database) ? [] : known.filter((name) => !ran.includes(name)),
    ahead: ran.filter((name) => name > BASELINE && !known.includes(name)),
    program: known.at(-1) ?? "",
    database,
    oldest: oldest ?? "",
  };
}

/** What keeps this program from working with the database, or null. */
export function schemaFault({ pending, program, database, oldest }: SchemaState): string | null {
  if (isBeforeBaseline(database)) {
    return `the database (${database}) is older than release 0.2.0: start that release on it first`;
  }
  if (program < oldest) {
    return `this program (${program}) is too old for the database, which needs ${oldest} or newer`;
  }
  return pending.length === 0 ? null : `not run: ${pending.join(", ")}`;
}

/** Throws when this program cannot work with the database, whatever it runs. */
function ensureFits(state: SchemaState): void {
  const fault = schemaFault(state);
  if (fault !== null && state.pending.length === 0) {
    throw new Error(fault);
  }
}

/** A statement that changes the schema waits so long for those before it, since all others wait behind it. */
const LOCK_MS = 200;
const LOCK_TRIES = 100;
const AGAIN_MS = 700;

/** Repeats a change of the schema that did not get its locks; other calls go on in between. */
async function whenFree<T>(change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (fault) {
      if (!hasSqlState(fault, "55P03") || tries === LOCK_TRIES) {
        throw fault;
      }
      await sleep(AGAIN_MS);
    }
  }
}

/**
 * Creates the functions of the database again from their files, unless a newer program has: the comment of `installation`
 * names its release.
 */
async function makeFunctions(db: Db): Promise<void> {
  const files = (await readdir(ROOMS, { recursive: true }))
    .filter((file) => file.endsWith(".sql") && !file.includes("/migrations/"))
    .toSorted();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, ROOMS), "utf8")));
  await inTransaction(db, async (tx) => {
    // Two servers that start at once would conflict in the catalogue.
    await sql`select pg_advisory_xact_lock(hashtext('functions'))`.execute(tx);
    const { rows } = await sql<{ by: string | null }>`
      select obj_description('installation'::regclass, 'pg_class') as by`.execute(tx);
    const by = rows[0]?.by ?? "";
    const isNewer = by.localeCompare(release.version, "en", { numeric: true }) > 0;
    if (isNewer || (await readSchemaState(tx)).ahead.length > 0) {
      return;
    }
    // They run where they are called: the other machines of a cluster need none of them. And a start waits for no standby.
    const here =
      "set local citus.enable_ddl_propagation = off; set local synchronous_commit = local";
    const note = `comment on table installation is '${release.version}'`;
    await sql
      .raw(`set local lock_timeout = ${LOCK_MS}; ${here}; ${texts.join("\n")}; ${note}`)
      .execute(tx);
  });
}

/**
 * Runs pending migrations, each in a transaction under a lock, so that servers starting at once run them once, and creates
 * the functions again; beside a newer schema that still allows this program, nothing. Answers the names of the migrations
 * that ran. Throws the database's error, or when this program or the database is too old.
 */
export async function migrate(db: Db): Promise<string[]> {
  const state = await readSchemaState(db);
  ensureFits(state);
  const ran: string[] = [];
  for (let left = state.ahead.length === 0; left;) {
    const [done] = await whenFree(async () => resultsOf(await migrator(db, state).migrateUp()));
    left = done !== undefined;
    ran.push(...(done === undefined ? [] : [done.migrationName]));
  }
  await whenFree(() => makeFunctions(db));
  return ran;
}

/**
 * Brings an unused database to the schema of a backup that was at these migrations, from the baseline on. Throws when this
 * program does not know them in this order, or when the backup or the database is older.
 */
export async function migrateTo(db: Db, names: readonly string[]): Promise<void> {
  const state = await readSchemaState(db);
  ensureFits(state);
  const since = names.filter((name) => name >= BASELINE);
  const last = since.at(-1);
  const known = Object.keys(await readMigrations()).slice(0, since.length);
  if (last === undefined) {
    throw new Error("the backup is older than release 0.2.0: restore it with that release first");
  }
  if (known.join() !== since.join()) {
    throw new Error("the backup is of another version of this program: restore it with that one");
  }
  resultsOf(await migrator(db, state).migrateTo(last));
}
