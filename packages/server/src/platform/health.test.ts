import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { expect, onTestFinished, test, vi } from "vitest";
import { mountHealth, readiness } from "./health.ts";
import type { Health } from "./health.ts";

/** Answers status and body of the probe. */
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
