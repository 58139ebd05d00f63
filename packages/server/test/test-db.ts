/** A database per test file, cloned from the migrated template. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { openDb, openPool } from "#platform/db/connection";
import type { ConnectionConfig, Db } from "#platform/db/connection";
import { hasSqlState } from "#platform/db/constraints";
import type { Database } from "#platform/db/schema";
import { inDatabase } from "#test/global-setup";
import { sql } from "kysely";
import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, inject } from "vitest";

export interface TestDb {
  readonly db: Db;
  readonly connection: ConnectionConfig;
  /** Runs a statement and returns its rows. */
  readonly sql: <T>(...statement: Parameters<typeof sql>) => Promise<T[]>;
}

const runsIn =
  (db: () => Db): TestDb["sql"] =>
  async <T>(...statement: Parameters<typeof sql>) =>
    (await sql<T>(...statement).execute(db())).rows;

/** A connection like that of another process. Destroy it after use. */
export function connect(connection: ConnectionConfig, max: number): Db {
  const onFault = () => {};
  return openDb(openPool(connection, { max, name: "test", statementTimeoutMs: 60_000, onFault }));
}

/** The error if autovacuum works in a database that an ordinary user drops. */
const INSUFFICIENT_PRIVILEGE = "42501";

async function dropDatabase(admin: Db, name: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await sql.raw(`drop database ${name} with (force)`).execute(admin);
      return;
    } catch (fault) {
      if (tries === 100 || !hasSqlState(fault, INSUFFICIENT_PRIVILEGE)) {
        throw fault;
      }
      await sleep(100);
    }
  }
}

export function useTestDb(): TestDb {
  const holder: { db?: Db; connection?: ConnectionConfig } = {};
  const name = `red_test_${randomBytes(6).toString("hex")}`;
  beforeAll(async () => {
    const admin = connect(inject("cluster"), 1);
    await sql.raw(`create database ${name} template ${inject("template")}`).execute(admin);
    await admin.destroy();
    holder.connection = inDatabase(inject("cluster"), name);
    holder.db = connect(holder.connection, 20);
  });
  afterAll(async () => {
    await holder.db?.destroy();
    const admin = connect(inject("cluster"), 1);
    await dropDatabase(admin, name);
    await admin.destroy();
  });
  const get = <K extends keyof typeof holder>(key: K): NonNullable<(typeof holder)[K]> => {
    const value = holder[key];
    if (value === undefined) {
      throw new Error("the test database exists inside tests only");
    }
    return value;
  };
  return {
    get db() {
      return get("db");
    },
    get connection() {
      return get("connection");
    },
    sql: runsIn(() => get("db")),
  };
}

/** Deletes all rows of tables, in this order. */
export async function clear(db: Db, ...tables: readonly (keyof Database)[]): Promise<void> {
  for (const table of tables) {
    await sql`delete from ${sql.table(table)}`.execute(db);
  }
}

/** Reports the rows of each answer to `onAnswer`. */
export function watched(t: TestDb, onAnswer: (rows: readonly object[]) => void): TestDb {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      onAnswer(result.rows);
      return result;
    },
  };
  return {
    get db() {
      return t.db.withPlugin(plugin);
    },
    get connection() {
      return t.connection;
    },
    sql: runsIn(() => t.db.withPlugin(plugin)),
  };
}
