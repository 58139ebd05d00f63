/**
 * Updates the schema: runs the migrations in order of their names, then creates the database functions from the SQL
 * files of the rooms.
 */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { Migrator, sql } from "kysely";
import type { Migration, MigrationResultSet } from "kysely";
import { inTransaction } from "./connection.ts";
import type { Db } from "./connection.ts";
import { hasSqlState } from "./constraints.ts";
import { failpoint } from "#platform/failpoint";
import release from "#release" with { type: "json" };

/* Folder of the rooms. The bundle keeps the SQL files under the same relative paths. */
const ROOMS = new URL(import.meta.url.endsWith(".ts") ? "../../" : "./", import.meta.url);
const FOLDER = new URL("platform/db/migrations/", ROOMS);

/**
 * Name of the baseline in every database: the last migration of release 0.2.0, whose schema the baseline creates. A
 * database with all migrations of that release is at the baseline, and processes of both releases work on it.
 */
const BASELINE = "0073-risked";

/** Returns the text of a migration. Like psql, it replaces each `\ir` line with the content of that file. */
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

/** Reads the migrations only once, because a newer release may replace the files while this process runs. */
const readMigrations = () => (read ??= readFolder());

/**
 * The migrations in `former` get an empty function, because Kysely needs a migration for every name in the database.
 */
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

/** Compares the migrations of this program with those of its database. All values are names of migrations. */
export interface SchemaState {
  /** Migrations of release 0.2.0 and before. The baseline replaces them. */
  readonly former: readonly string[];
  /** Migrations that this program has and the database lacks. Empty if the database is older than the baseline. */
  readonly pending: readonly string[];
  /** Migrations that only a newer program has. */
  readonly ahead: readonly string[];
  /** The newest migration of this program. */
  readonly program: string;
  readonly database: string;
  /** Programs whose newest migration is older cannot use the database. Kept as comment on schema_migration. */
  readonly oldest: string;
}

const isBeforeBaseline = (database: string) => database !== "" && database < BASELINE;

/** This query is cheap enough for a readiness probe. */
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

/** Returns the reason why this program cannot work with the database, or null. */
export function schemaFault({ pending, program, database, oldest }: SchemaState): string | null {
  if (isBeforeBaseline(database)) {
    return `the database (${database}) is older than release 0.2.0: start that release on it first`;
  }
  if (program < oldest) {
    return `this program (${program}) is too old for the database, which needs ${oldest} or newer`;
  }
  return pending.length === 0 ? null : `not run: ${pending.join(", ")}`;
}

/** Throws if this program cannot work with the database, whichever migrations it runs. */
function ensureFits(state: SchemaState): void {
  const fault = schemaFault(state);
  if (fault !== null && state.pending.length === 0) {
    throw new Error(fault);
  }
}

/** Longest wait of a schema change for its locks. It is short, because all other statements wait behind the change. */
const LOCK_MS = 200;
const LOCK_TRIES = 100;
const AGAIN_MS = 700;

/** Repeats a schema change that did not get its locks. Other calls continue between the tries. */
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
 * Creates the database functions again from their files, unless a newer release has done so. The comment of table
 * `installation` names that release.
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
    // The functions run only on this machine, so the other machines of a cluster do not need them. The local commit
    // lets a start continue without a standby.
    const here =
      "set local citus.enable_ddl_propagation = off; set local synchronous_commit = local";
    const note = `comment on table installation is '${release.version}'`;
    await sql
      .raw(`set local lock_timeout = ${LOCK_MS}; ${here}; ${texts.join("\n")}; ${note}`)
      .execute(tx);
  });
}

/**
 * Runs pending migrations, each in a transaction under a lock, so that servers that start together run each one once.
 * Then creates the functions again. Changes nothing if the schema is newer but still allows this program. Returns the
 * names of the migrations that ran. Throws database errors, and an error if this program or the database is too old.
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
 * Migrates an unused database to the schema of a backup; `names` are the migrations of the backup. Throws if this
 * program does not have these migrations in this order, or if the backup or the database is older than the baseline.
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
