/**
 * Opens the database for a command, with or without a running server. Only a command that needs `made` or
 * `bare` creates a database.
 */
import type { Call, Need } from "./command.ts";
import type { Config } from "#platform/config";
import { openDb, openPool } from "#platform/db/connection";
import type { ConnectionConfig, Db } from "#platform/db/connection";
import { findPlace } from "#platform/embedded/place";
import { attachEmbedded } from "#platform/embedded/supervisor";
import { migrate, readSchemaState, schemaFault } from "#platform/db/migrate";
import { sql } from "kysely";
import pg from "pg";

const POOL_SIZE = 4;

interface Reached {
  readonly connection: ConnectionConfig;
  /** Leaves the embedded database and closes open connections. */
  leave(): Promise<void>;
}

export interface OpenDatabase extends Reached {
  readonly db: Db;
  close(): Promise<void>;
}

async function reach(config: Config, need: Need): Promise<Reached> {
  if (config.databaseUrl !== null) {
    return { connection: { connectionString: config.databaseUrl }, leave: async () => {} };
  }
  const mayMake = need === "made" || need === "bare";
  if (!mayMake && findPlace(config.dataDir) === null) {
    throw new Error(
      `there is no database in ${config.dataDir} yet: start the server once, or run redctl migrate`,
    );
  }
  const embedded = await attachEmbedded({ dataDir: config.dataDir });
  return { connection: embedded.connection, leave: () => embedded.stop() };
}

export async function isWithoutSchema(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_bare: boolean }>`
    select to_regclass('operator') is null as is_bare`.execute(db);
  return rows[0]?.is_bare === true;
}

async function bringTo(need: Need, db: Db): Promise<void> {
  if (need === "found" || need === "bare") {
    return;
  }
  const state = await readSchemaState(db);
  const fault = schemaFault(state);
  if (need === "made" && (await isWithoutSchema(db))) {
    await migrate(db);
  } else if (fault !== null) {
    throw new Error(
      state.pending.length > 0
        ? `the schema of the database is behind (lacks ${state.pending.join(", ")}): run redctl migrate`
        : fault,
    );
  }
}

/** The caller must close the database. Throws if the database is not in the state that the command needs. */
export async function openDatabase(config: Config, need: Need): Promise<OpenDatabase> {
  const reached = await reach(config, need);
  const db = openDb(
    openPool(reached.connection, {
      max: POOL_SIZE,
      name: "redctl",
      statementTimeoutMs: 0,
      // The query on the connection fails with the same error and reports it.
      onFault: () => {},
    }),
  );
  const close = async () => {
    await db.destroy();
    await reached.leave();
  };
  try {
    await bringTo(need, db);
  } catch (fault) {
    await close();
    throw fault;
  }
  return { ...reached, db, close };
}

/** Runs `work` on a separate connection. Throws if a server is connected to the database that the command opened. */
export async function workAlone<T>(
  call: Call,
  name: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...call.connection(), application_name: `redctl ${name}` });
  // An error without a handler would end the process when this connection is lost.
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and application_name like 'red-packet%' limit 1`,
    );
    if (rows.length > 0) {
      throw new Error("a server is running on this database: stop it first");
    }
    return await work(client);
  } finally {
    await client.end();
  }
}
