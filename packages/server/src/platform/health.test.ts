import { setTimeout as sleep } from "node:timers/promises";
import fastify from "fastify";
import { expect, test, vi } from "vitest";
import { mountHealth } from "./health.ts";

async function readiness(checks: Parameters<typeof mountHealth>[1]["checks"]) {
  const app = fastify();
  mountHealth(app, { checks });
  const { statusCode, body } = await app.inject({ url: "/readyz" });
  await app.close();
  return { statusCode, body };
}

test("readiness reports each check, and database errors only to the log", async () => {
  const { statusCode, body } = await readiness({
    database: async () => await Promise.reject(new Error("no pg_hba.conf entry for user red")),
    migrations: async () => "not run: 0017-more",
    worker: async () => null,
  });
  expect(statusCode).toBe(503);
  expect(JSON.parse(body)).toEqual({
    status: "not ready",
    checks: {
      database: "failed, the log says why",
      migrations: "not run: 0017-more",
      worker: "ok",
    },
  });
});

test("readiness is given when every check passes", async () => {
  const { statusCode, body } = await readiness({ database: async () => null });
  expect(statusCode).toBe(200);
  expect(JSON.parse(body)).toEqual({ status: "ready", checks: { database: "ok" } });
});

test("concurrent callers share one run of the checks, and a later caller gets another", async () => {
  const app = fastify();
  const database = vi.fn<() => Promise<null>>(async () => await sleep(50, null));
  mountHealth(app, { checks: { database } });
  const ask = async () => (await app.inject({ url: "/readyz" })).statusCode;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
  expect(database).toHaveBeenCalledTimes(1);
  expect(await ask()).toBe(200);
  expect(database).toHaveBeenCalledTimes(2);
  await app.close();
});
