import { setTimeout as sleep } from "node:timers/promises";
import { startBundle } from "#test/bundle-process";
import { makeFolder } from "#test/folder";
import { until } from "#test/payout-factory";
import { useTestDb } from "#test/test-db";
import fastify from "fastify";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { mountHealth, readiness } from "./health.ts";
import type { Health } from "./health.ts";

const t = useTestDb();

/** Returns a function that calls the probe and returns its status and body. */
function probe(checks: Health) {
  const app = fastify();
  onTestFinished(() => app.close());
  mountHealth(app, readiness(checks, app.log), "0062-approvals");
  return async () => {
    const { statusCode, body } = await app.inject({ url: "/readyz" });
    const { release: _, ...told } = JSON.parse(body);
    return [statusCode, told] as const;
  };
}

test("readiness reports each check, and database errors only to the log", async () => {
  const ask = probe({
    database: async () => await Promise.reject(new Error("no pg_hba.conf entry for user red")),
    migrations: async () => "not run: 0017-more",
    worker: async () => null,
  });
  const checks = {
    database: "failed, the log says why",
    migrations: "not run: 0017-more",
    worker: "ok",
  };
  expect(await ask()).toEqual([503, { status: "not ready", program: "0062-approvals", checks }]);
});

test("concurrent callers share one run of checks that pass, and a later caller gets another", async () => {
  const database = vi.fn<() => Promise<null>>(async () => await sleep(50, null));
  const ask = probe({ database });
  const ready = [200, { status: "ready", program: "0062-approvals", checks: { database: "ok" } }];
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([ready, ready, ready]);
  expect(database).toHaveBeenCalledTimes(1);
  expect(await ask()).toEqual(ready);
  expect(database).toHaveBeenCalledTimes(2);
});

test("a process whose calls still work is ready when others have all other connections", async () => {
  const dataDir = makeFolder();
  const server = await startBundle(t.connection, dataDir, { DEMO: "off", LOG_LEVEL: "fatal" });
  onTestFinished(() => server.stop());
  const status = async (path: string) => (await fetch(`${server.url}${path}`)).status;
  const called = async () => {
    const headers = { token: "x".repeat(43) };
    const answer = await fetch(`${server.url}/gred/api/record/list`, { headers });
    return ((await answer.json()) as { readonly key: string }).key;
  };
  const end = (pool: string) => t.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like ${`red-packet ${pool}`}`;
  const allow = (most: number) =>
    sql`alter database ${sql.id(t.connection.database ?? "")} connection limit ${sql.lit(most)}`;
  await allow(0).execute(t.db);
  await end("probe");
  // The probe runs two queries at the same time, and the pool of calls has one or two connections.
  expect(await status("/readyz")).toBe(200);
  expect(await called()).toBe("token_unknown");
  await end("%");
  expect(await status("/readyz")).toBe(503);
  expect(await called()).toBe("unavailable");
  await allow(-1).execute(t.db);
  await until("ready again", async () => (await status("/readyz")) === 200);
}, 60_000);
