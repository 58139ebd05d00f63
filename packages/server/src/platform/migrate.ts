/** Brings the schema up to date: migrations by name, then the database's functions from their rooms. */
import { readdir, readFile } from "node:fs/promises";
import { Migrator, sql } from "kysely";
import type { Migration } from "kysely";
import { inTransaction } from "./connection.ts";
import type { Db } from "./connection.ts";
import { hasSqlState } from "./constraints.ts";
import { failpoint } from "./failpoint.ts";

/* The folder of the rooms; the bundle keeps the files in the same places beside itself. */
const ROOMS = new URL(import.meta.url.endsWith(".ts") ? "../" : "./", import.meta.url);
const FOLDER = new URL("platform/migrations/", ROOMS);

async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith(".sql")).toSorted();
  const migrations: Record<string, Migration> = {};
  for (const file of files) {
    const text = await readFile(new URL(file, FOLDER), "utf8");
    migrations[file.replace(/\.sql$/, "")] = {
      up: async (db) => {
        await sql.raw(text).execute(db);
        failpoint("migration_run");
      },
    };
  }
  return migrations;
}

function migrator(db: Db): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: readMigrations },
    migrationTableName: "schema_migration",
    migrationLockTableName: "schema_migration_lock",
  });
}

/**
 * Creates the functions of the database again from their files. An older program that starts meanwhile
 * would restore its own; a change that it must not undo comes with a migration, at which it stops.
 */
async function makeFunctions(db: Db): Promise<void> {
  const files = (await readdir(ROOMS, { recursive: true }))
    .filter((file) => file.endsWith(".sql") && !file.includes("/migrations/"))
    .toSorted();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, ROOMS), "utf8")));
  await inTransaction(db, async (tx) => {
    // Two servers that start at once would conflict in the catalogue.
    await sql`select pg_advisory_xact_lock(hashtext('functions'))`.execute(tx);
    await sql.raw(texts.join("\n")).execute(tx);
  });
}

/**
 * Runs pending migrations in one transaction under a lock, so that servers starting at once run them once,
 * and creates the functions again. Answers the names of the migrations that ran. Throws the database's
 * error.
 */
export async function migrate(db: Db): Promise<string[]> {
  const { error, results } = await migrator(db).migrateToLatest();
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error("migration failed", { cause: error });
  }
  await makeFunctions(db);
  return (results ?? []).map((result) => result.migrationName);
}

/** Throws when this program does not know these migrations in this order. */
export async function migrateTo(db: Db, names: readonly string[]): Promise<void> {
  const all = await migrator(db).getMigrations();
  const known = all.slice(0, names.length).map((migration) => migration.name);
  const last = names.at(-1);
  if (last === undefined || known.join() !== names.join()) {
    throw new Error("the backup is of another version of this program: restore it with that one");
  }
  const { error } = await migrator(db).migrateTo(last);
  if (error !== undefined) {
    throw error instanceof Error ? error : new Error("migration failed", { cause: error });
  }
}

/** Migrations that this program has and the database lacks; cheap enough for a probe. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const run = await sql<{ name: string }>`select name from schema_migration`
    .execute(db)
    .catch((fault: unknown) => {
      if (hasSqlState(fault, "42P01")) {
        return { rows: [] };
      }
      throw fault;
    });
  const names = new Set(run.rows.map((row) => row.name));
  return Object.keys(await readMigrations()).filter((name) => !names.has(name));
}
