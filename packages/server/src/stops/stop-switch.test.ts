/** Stopping takes one call. Starting again requires the operator's one-time code (behaviour §5, §6, §9). */
import { LOGIN_FAILURES_MAX } from "@red/contract/platform/limits";
import { poolRoutes } from "@red/contract/pools/pool";
import { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import { seedPurpose, newSeed } from "#identity/authenticator";
import { insertFailure } from "#identity/login-failure-sql";
import { inTransaction } from "#platform/db/connection";
import { IDLE_MINUTES } from "#identity/session-sql";
import { tokenHash } from "#identity/operator-auth";
import { selectAudits } from "#test/activity-factory";
import { makePool } from "#test/factories";
import { codeAt, later } from "#test/operator-factory";
import { auditsOf, changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

let seed = "";

beforeEach(async () => {
  await clear(t.db, "stop_switch", "login_failure", "audit_log");
  const { id } = await rowOf(t.db, "operator", { name: "root-op" });
  seed = newSeed();
  const totp_secret = a.services.secrets.seal(seedPurpose(id), seed);
  await changeRows(t.db, "operator", { id }, { totp_secret, totp_step: null });
});

const stops = async () => (await a.read(stopSwitchRoutes.list, {})).content;

const start = (code?: string) =>
  a.call(stopSwitchRoutes.startEverything, code === undefined ? {} : { code });

describe("stopping", () => {
  test("everything stops draws and payouts at once, with who, when and why", async () => {
    const before = new Date();
    expect(
      await a.call(stopSwitchRoutes.stopEverything, { body: { reason: " 奖品配错 " } }),
    ).toEqual({ code: 200, msg: "已暂停", data: null });
    const common = { pool_id: null, pool_name: null, stopped_by: "root-op", reason: "奖品配错" };
    expect(await stops()).toEqual([
      { name: "draws", ...common, stopped_at: expect.any(String) },
      { name: "payouts", ...common, stopped_at: expect.any(String) },
    ]);
    const { stopped_at } = await rowOf(t.db, "stop_switch");
    expect(Math.abs(stopped_at.getTime() - before.getTime())).toBeLessThan(5_000);
    expect(await rowOf(t.db, "audit_log")).toMatchObject({
      action: "stop_everything",
      object_type: "stop_switch",
      object_id: "everything",
      before: { stopped: [] },
      after: { stopped: [{ name: "draws", reason: "奖品配错" }, { name: "payouts" }] },
    });
  });

  test("a second stop keeps the first operator, and is audited again", async () => {
    await a.call(stopSwitchRoutes.stopDraws, { body: { reason: "first" } });
    const [first] = await stops();
    await a.call(stopSwitchRoutes.stopEverything, { body: { reason: "second" } });
    expect(await stops()).toMatchObject([first, { name: "payouts", reason: "second" }]);
    expect(await auditsOf(t.db, ["action"])).toEqual([
      { action: "stop_draws" },
      { action: "stop_everything" },
    ]);
  });

  test("a pool stops that one; a deleted one is no longer listed", async () => {
    const id = await makePool(t.db, { pool_name: "停用池" });
    const other = await makePool(t.db);
    await a.call(stopSwitchRoutes.stopPool, { params: { id }, body: {} });
    expect(await stops()).toMatchObject([{ name: "pool", pool_id: id, pool_name: "停用池" }]);
    const { content } = await a.read(poolRoutes.list, {});
    expect(content.map((pool) => [pool.id, pool.stopped])).toEqual([
      [id, true],
      [other, false],
    ]);
    expect(await selectAudits(t.db, "pool", id)).toMatchObject([{ action: "stop_pool" }]);
    await a.call(poolRoutes.remove, { params: { id } });
    expect(await stops()).toEqual([]);
    expect(await a.call(stopSwitchRoutes.stopPool, { params: { id }, body: {} })).toMatchObject({
      code: 404,
      msg: "奖池不存在",
    });
  });
});

describe("starting again", () => {
  test("needs a code, and a missing one is not counted", async () => {
    await a.call(stopSwitchRoutes.stopEverything, { body: {} });
    for (const code of [undefined, "", "  "]) {
      const needs = { code: true, recovery: true, reason: false, second: false };
      expect(await start(code)).toMatchObject({ key: "proof_needed", data: { needs } });
    }
    expect(await stops()).toHaveLength(2);
    expect(await rowsOf(t.db, "login_failure")).toEqual([]);
  });

  test("with the right code starts what was stopped, once; the code is used up", async () => {
    await a.call(stopSwitchRoutes.stopEverything, { body: {} });
    const code = codeAt(seed, new Date());
    expect(await start(code)).toEqual({ code: 200, msg: "已恢复", data: null });
    expect(await stops()).toEqual([]);
    const [, audit] = await auditsOf(t.db, ["action", "actor", "before", "after"]);
    expect(audit).toMatchObject({
      action: "start_everything",
      actor: "root-op",
      before: { stopped: [{ name: "draws" }, { name: "payouts" }] },
      after: { stopped: [] },
    });
    await a.call(stopSwitchRoutes.stopDraws, { body: {} });
    const again = await a.call(stopSwitchRoutes.startDraws, { code });
    expect(again).toMatchObject({ code: 402, msg: "动态验证码已使用过，请等待下一个" });
    expect(await stops()).toHaveLength(1);
    expect(await rowsOf(t.db, "login_failure")).toEqual([]);
  });

  test("starts only draws, or one pool, on request", async () => {
    const id = await makePool(t.db);
    await a.call(stopSwitchRoutes.stopEverything, { body: {} });
    await a.call(stopSwitchRoutes.stopPool, { params: { id }, body: {} });
    const now = new Date();
    // Each call needs its own code, and codes must be used in time order.
    await a.call(stopSwitchRoutes.startDraws, { code: codeAt(seed, later(now, -30)) });
    expect(await stops()).toMatchObject([{ name: "payouts" }, { name: "pool" }]);
    await a.call(stopSwitchRoutes.startPool, {
      params: { id },
      code: codeAt(seed, now),
    });
    expect(await stops()).toMatchObject([{ name: "payouts" }]);
    await a.call(stopSwitchRoutes.startPayouts, { code: codeAt(seed, later(now, 30)) });
    expect(await stops()).toEqual([]);
  });

  test("shares its limit of wrong codes with sign-in", async () => {
    const attempt = { name: "ROOT-op", address: "127.0.0.1" };
    for (let turn = 0; turn < LOGIN_FAILURES_MAX; turn += 1) {
      await inTransaction(t.db, (tx) => insertFailure(tx, attempt));
    }
    expect(await start(codeAt(seed, new Date()))).toMatchObject({ code: 1002 });
  });

  test("needs a bound authenticator", async () => {
    await t.db.updateTable("operator").set({ totp_secret: null }).execute();
    expect(await start(codeAt(seed, new Date()))).toMatchObject({ code: 402 });
  });
});

test("reading the stops extends no session", async () => {
  const seen = new Date(Date.now() - (IDLE_MINUTES - 1) * 60_000);
  const own = t.db.updateTable("session").where("token_hash", "=", tokenHash(a.token));
  await own.set({ seen_at: seen }).execute();
  const look = async () =>
    (await t.db.selectFrom("session").select("seen_at").executeTakeFirstOrThrow()).seen_at;
  expect(await stops()).toEqual([]);
  expect(await look()).toEqual(seen);
  await a.call(poolRoutes.list, {});
  expect((await look()).getTime()).toBeGreaterThan(seen.getTime());
  await own.set({ seen_at: sql<Date>`now() - interval '2 hours'` }).execute();
  expect(await a.call(stopSwitchRoutes.list, {})).toMatchObject({ code: 50014 });
  await own.set({ seen_at: sql<Date>`now()` }).execute();
});
