/**
 * The database of a bench: the product's embedded PostgreSQL with its own settings, migrated, in a folder that goes away
 * with the bench. `BENCH_DATABASE_URL` names another PostgreSQL instead; the bench then works in a database of its own.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { openDb, openPool } from "../packages/server/src/platform/db/connection.ts";
import type { ConnectionConfig, Db } from "../packages/server/src/platform/db/connection.ts";
import { startEmbedded } from "../packages/server/src/platform/embedded/supervisor.ts";
import { migrate } from "../packages/server/src/platform/db/migrate.ts";
import { say } from "./report.ts";

const DATABASE = "red_bench";

function urlOf({ host, port, user, password, database }: pg.ClientConfig): string {
  const url = new URL(`postgres://x/${database ?? ""}`);
  url.username = user ?? "";
  url.password = String(password ?? "");
  url.hostname = "localhost";
  // A socket's folder does not fit into the name of a host.
  url.searchParams.set("host", host ?? "");
  url.searchParams.set("port", String(port ?? 5432));
  return url.href;
}

/** Makes an empty database on the server that `address` names. */
async function makeDatabase(address: string): Promise<string> {
  const admin = new pg.Client({ connectionString: address });
  await admin.connect();
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.query(`create database ${DATABASE}`);
  await admin.end();
  const url = new URL(address);
  url.pathname = `/${DATABASE}`;
  return url.href;
}

async function openBenchDatabase(folder: string) {
  const address = process.env["BENCH_DATABASE_URL"];
  const embedded = address === undefined ? await startEmbedded({ dataDir: folder }) : null;
  const connection: ConnectionConfig = embedded?.connection ?? {
    connectionString: await makeDatabase(address ?? ""),
  };
  const opened: Db[] = [];
  const open = (name: string, max: number, isPrepared = false): Db => {
    const onFault = () => {};
    const options = { max, name, statementTimeoutMs: 0, isPrepared, onFault };
    const db = openDb(openPool(connection, options));
    opened.push(db);
    return db;
  };
  const db = open("bench", 4);
  await migrate(db);
  return {
    connection,
    /** `connection` as `DATABASE_URL`, for processes of their own. */
    url: connection.connectionString ?? urlOf(connection),
    /** For set-up and checks, without a time limit. */
    db,
    /** Ends with the bench. `isPrepared`: with prepared statements, as the server draws, pays and ingests. */
    open,
    async close(): Promise<void> {
      await Promise.all(opened.map((each) => each.destroy()));
      await embedded?.stop();
    },
  };
}

export type BenchDatabase = Awaited<ReturnType<typeof openBenchDatabase>>;

/** The settings that decide what a commit means, as the database has them. */
async function durabilityOf(db: Db): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select string_agg(name || '=' || setting, ' ') as line from pg_settings
    where name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes')`.execute(
    db,
  );
  return rows[0]?.line ?? "";
}

/** Runs a bench with an empty database and a folder of its own, to its exit code. */
export async function runBench(
  main: (bench: BenchDatabase, folder: string) => Promise<number>,
): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "red-bench-"));
  // The database's account can enter, so that the cluster lies in it and goes away with it.
  chmodSync(folder, 0o755);
  const bench = await openBenchDatabase(folder);
  try {
    say(await durabilityOf(bench.db));
    process.exitCode = await main(bench, folder);
  } finally {
    await bench.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
