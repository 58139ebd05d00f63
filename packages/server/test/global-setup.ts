/** Starts one PostgreSQL with a migrated template. `TEST_DATABASE_URL` names another server (user with CREATEDB). */
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { APPLICATION, SUPERUSER } from "#platform/embedded/cluster";
import { startEmbedded } from "#platform/embedded/supervisor";
import { openDb, openPool } from "#platform/db/connection";
import type { ConnectionConfig, Db } from "#platform/db/connection";
import { migrate } from "#platform/db/migrate";
import { REPOSITORY } from "#test/entry-process";
import { sql } from "kysely";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    cluster: ConnectionConfig;
    template: string;
  }
}

/** Runs `work` on a new connection. */
async function using(connection: ConnectionConfig, work: (db: Db) => Promise<unknown>) {
  const options = { max: 1, name: "test setup", statementTimeoutMs: 0, onFault: () => {} };
  const db = openDb(openPool(connection, options));
  await work(db);
  await db.destroy();
}

const execute = (connection: ConnectionConfig, statement: string) =>
  using(connection, (db) => sql.raw(statement).execute(db));

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, ["tools/build.mjs", "server"], { cwd: REPOSITORY });
  process.env["TABLE_WORKER"] = path.join(REPOSITORY, "packages/server/dist/table-worker.js");
  const url = process.env["TEST_DATABASE_URL"];
  const folder = await mkdtemp(path.join(tmpdir(), "red-test-"));
  // The database's user must be able to enter the folder; otherwise the cluster is created elsewhere.
  await chmod(folder, 0o711);
  const embedded = url === undefined ? await startEmbedded({ dataDir: folder }) : null;
  const cluster: ConnectionConfig = embedded?.connection ?? { connectionString: url };
  if (embedded !== null) {
    // Superuser: tests that damage rows bypass triggers.
    const admin = { ...embedded.connection, user: SUPERUSER, database: "postgres" };
    await execute(admin, `grant set on parameter session_replication_role to ${APPLICATION}`);
    // Lets the application find the log of the server.
    await execute(admin, `grant pg_read_all_settings to ${APPLICATION}`);
  }
  const template = `red_template_${process.pid}`;
  await execute(cluster, `create database ${template}`);
  await using({ ...cluster, ...inDatabase(cluster, template) }, migrate);
  project.provide("cluster", cluster);
  project.provide("template", template);
  return async () => {
    await execute(cluster, `drop database ${template} with (force)`);
    await embedded?.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Another database of the same cluster. */
export function inDatabase(cluster: ConnectionConfig, database: string): ConnectionConfig {
  if (cluster.connectionString === undefined) {
    return { ...cluster, database };
  }
  const url = new URL(cluster.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.toString() };
}
