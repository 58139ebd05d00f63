/** Starts a separate PostgreSQL server (Debian's 15) that can be stopped under the running system. */
import { spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { install } from "./debian.ts";

const BIN = "/usr/lib/postgresql/15/bin";

function run(program: string, args: readonly string[]): string {
  const result = spawnSync(program, args, { encoding: "utf8" });
  if (result.status !== 0) {
    throw new Error(`${program} ${args.join(" ")}: ${result.stderr}`);
  }
  return result.stdout;
}

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
function asPostgres(program: string, args: readonly string[]): void {
  if (process.getuid?.() === 0) {
    run("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program, ...args]);
  } else {
    run(program, args);
  }
}

/**
 * Starts a new cluster in `folder`, which then belongs to the database's account; as a standby of the one at the port
 * `primary`, if that is given.
 */
export function startPostgres(folder: string, port: number, primary?: number) {
  install([BIN], "postgresql-15");
  const data = path.join(folder, "pg");
  if (process.getuid?.() === 0) {
    chownSync(folder, Number(run("id", ["-u", "postgres"])), Number(run("id", ["-g", "postgres"])));
  }
  if (primary === undefined) {
    const local = ["-A", "trust", "-E", "UTF8", "--no-locale"];
    asPostgres(`${BIN}/initdb`, ["-D", data, "-U", "red", ...local]);
  } else {
    const from = `host=127.0.0.1 port=${primary} user=red`;
    asPostgres(`${BIN}/pg_basebackup`, ["-D", data, "-d", from, "-R", "-c", "fast"]);
  }
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const log = path.join(folder, "pg.log");
  const start = () =>
    asPostgres(`${BIN}/pg_ctl`, ["-D", data, "-w", "-o", settings, "-l", log, "start"]);
  start();
  return {
    url: `postgres://red@127.0.0.1:${port}/postgres`,
    /** Returns when it has stopped; all connections are closed. */
    stop: () => asPostgres(`${BIN}/pg_ctl`, ["-D", data, "-m", "fast", "-w", "stop"]),
    /** Starts it again after `stop`, with its data. */
    start,
  };
}

/** The rows of one statement, by a connection of its own. */
export async function askPostgres<T extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
): Promise<T[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}
