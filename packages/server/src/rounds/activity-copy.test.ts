/** Copies of a round to another day with its pool (behaviour §3, §13), and what two rounds share. */
import { activityRoutes } from "@red/contract/rounds/activity";
import { formatDateTime } from "@red/contract/platform/datetime";
import { poolRoutes } from "@red/contract/pools/pool";
import { PRIZE_VALUES, prizeRoutes } from "@red/contract/pools/prize";
import { inTransaction } from "#platform/db/connection";
import { insertPool } from "#pools/pool-sql";
import {
  activityBody,
  prizeBody,
  selectAudits,
  selectPoolVersions,
  ZONE,
} from "#test/activity-factory";
import { makePlayer, makeRecords } from "#test/factories";
import { hold, untilWaiting } from "#test/races";
import { changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";

const t = useTestDb();
const a = useTestApp(t);
const POOL = "周末池";

beforeEach(async () => {
  await clear(t.db, "payout", "draw_record", "activity_rule", "activity");
  await clear(t.db, "pool_version", "prize", "pool", "audit_log");
});

type Changes = Partial<Parameters<typeof activityBody>[0]>;

async function idOf(answer: Promise<{ code: number; msg: string; data: unknown }>) {
  const { code, data, msg } = await answer;
  expect([code, msg]).toEqual([200, "添加成功"]);
  // The test application checks every answer against the contract, so this cast is safe.
  return (data as { id: number }).id;
}

async function drawnRound(changes: Changes = {}) {
  for (const prize of [
    { award_name: "8.88元红包" },
    { award_name: "耳机", award_price: "0.00", award_total: 3, floors: 1 as const },
  ]) {
    await a.call(prizeRoutes.create, { body: prizeBody({ pool_name: POOL, ...prize }) });
  }
  const body = activityBody({ pool_name: POOL, condition_value: "120.50", ...changes });
  const id = await idOf(a.call(activityRoutes.create, { body }));
  const { id: prize_id, pool_id } = await rowOf(t.db, "prize");
  await changeRows(t.db, "prize", { id: prize_id }, { drawn: 3 });
  const round = { rounds_id: id, pool_id, prize_id };
  await makeRecords(t.db, round, await makePlayer(t.db), [{}, {}, {}]);
  return { id, pool_id };
}

const copy = (id: number, body: { start_date: string; pool_name?: string; rounds_name?: string }) =>
  a.call(activityRoutes.copy, { params: { id }, body });

const detail = (id: number) => a.read(activityRoutes.detail, { params: { id } });
const prizes = async (pool_name: string) =>
  (await a.read(prizeRoutes.list, { query: { pool_name, size: 99 } })).content;

/** Returns all stored data of the first round, its pool and its records as text. */
async function kept(id: number, pool_id: number): Promise<string> {
  const { rows } = await sql<{ kept: string }>`
    select (select json_agg(a) from activity a where id = ${id})::text
      || (select json_agg(z order by z.id) from prize z where pool_id = ${pool_id})::text
      || (select json_agg(r order by r.id) from draw_record r where rounds_id = ${id})::text
      || (select json_agg(p order by p.log_id) from payout p where rounds_id = ${id})::text
      as kept`.execute(t.db);
  return rows[0]?.kept ?? "";
}

describe("a copy", () => {
  test("is the round a week later, on its own pool with full stock", async () => {
    const source = await drawnRound({ end_time: "2026-11-21 02:00:00" });
    const before = await kept(source.id, source.pool_id);
    const answer = await copy(source.id, { start_date: "2026-11-27" });
    const id = await idOf(Promise.resolve(answer));
    expect(answer.data).toMatchObject({ rounds_name: "周末红包A", pool_name: "周末池 11-27" });
    const { id: _id, act_id: _act, ...first } = await detail(source.id);
    expect(await detail(id)).toEqual({
      ...first,
      id,
      act_id: id,
      pool_name: "周末池 11-27",
      achieve_start_time: "2026-11-27 00:00:00",
      achieve_end_time: "2026-11-27 23:59:59",
      start_time: "2026-11-27 20:00:00",
      end_time: "2026-11-28 02:00:00",
      rounds_status: 1,
    });
    const copied = await prizes("周末池 11-27");
    expect(copied.map(({ drawn, remaining }) => [drawn, remaining])).toEqual([
      [0, 40],
      [0, 3],
    ]);
    const { parse: essence } = z.array(z.object(PRIZE_VALUES));
    expect(essence(copied)).toEqual(essence(await prizes(POOL)));
    expect(await kept(source.id, source.pool_id)).toBe(before);
    const { pool_id } = answer.data as { pool_id: number };
    expect(await selectPoolVersions(t.db, pool_id)).toMatchObject([{ version: 1 }]);
    const rules = t.db.selectFrom("activity_rule").where("rounds_id", "=", id);
    expect(await rules.select("version").execute()).toEqual([{ version: 1 }]);
    expect(await selectAudits(t.db, "activity", id)).toMatchObject([
      {
        action: "copy_activity",
        before: null,
        after: { id, copy_of: source.id, pool_copy_of: source.pool_id, pool_name: "周末池 11-27" },
      },
    ]);
  });

  test("of a copy, to a day with both names in use, gets free ones", async () => {
    const { id } = await drawnRound();
    const there = { start_date: "2026-11-27" };
    const first = await idOf(copy(id, there));
    expect((await copy(first, there)).data).toMatchObject({
      rounds_name: "周末红包A 11-27",
      pool_name: "周末池 11-27 (2)",
    });
    expect((await copy(id, { start_date: "2026-11-20" })).data).toMatchObject({
      rounds_name: "周末红包A 11-20",
      pool_name: "周末池 11-20",
    });
  });

  test("is refused for a taken name, and leaves nothing behind", async () => {
    const { id } = await drawnRound({ achieve_start_time: "2026-11-19 00:00:00" });
    const day = { start_date: "2026-11-27" };
    expect(await copy(id, { ...day, pool_name: POOL })).toMatchObject({
      code: 409,
      msg: "已有同名奖池，请换一个名称",
    });
    await idOf(copy(id, { ...day, rounds_name: "今晚" }));
    expect(await copy(id, { ...day, rounds_name: "今晚" })).toMatchObject({
      code: 409,
      msg: "同一天已有同名活动，请换一个名称",
    });
    await a.call(activityRoutes.remove, { params: { id } });
    expect(await copy(id, day)).toMatchObject({ code: 404, msg: "活动不存在或已删除" });
    const { data } = await a.call(poolRoutes.list, {});
    expect(data).toMatchObject({
      content: [{ pool_name: POOL }, { pool_name: "周末池 11-27", prizes: 2, rounds: 1 }],
      total: 2,
    });
  });

  test("made twice at once gets two pools, or one is refused for its name", async () => {
    const { id } = await drawnRound();
    const first = await hold(t.db, (tx) => insertPool(tx, "周末池 11-27"));
    const second = copy(id, { start_date: "2026-11-27" });
    await untilWaiting(t.db);
    await first.commit();
    expect(await second).toMatchObject({ code: 409, msg: "已有同名奖池，请换一个名称" });
    const both = await Promise.all([
      copy(id, { start_date: "2026-11-28" }),
      copy(id, { start_date: "2026-11-28" }),
    ]);
    // The second copy waits for the pool lock, so it sees the names of the first copy.
    expect(both.map(({ code }) => code)).toEqual([200, 200]);
    expect(new Set(both.map(({ data }) => JSON.stringify(data))).size).toBe(2);
  });
});

describe("rounds that share something", () => {
  const HOUR = 3_600_000;
  const NOW = Date.now();
  const shown = (hours: number) => formatDateTime(new Date(NOW + hours * HOUR), ZONE);

  /** Returns a window in hours from now, used both for drawing and for counting. */
  function window(from: number, to: number) {
    return {
      start_time: shown(from),
      end_time: shown(to),
      achieve_start_time: shown(from),
      achieve_end_time: shown(to),
    };
  }

  async function made(rounds_name: string, changes: Changes): Promise<number> {
    const body = activityBody({ pool_name: POOL, rounds_name, ...window(1, 3), ...changes });
    return await idOf(a.call(activityRoutes.create, { body }));
  }

  async function overlaps(body: Record<string, unknown>) {
    const asked = { ...window(1, 3), ...body } as ReturnType<typeof window>;
    return (await a.read(activityRoutes.overlap, { body: asked })).content;
  }

  beforeEach(async () => {
    await inTransaction(t.db, (tx) => insertPool(tx, POOL));
    await inTransaction(t.db, (tx) => insertPool(tx, "别池"));
  });

  test("are listed with what they share, earliest start first, without the round itself", async () => {
    const later = await made("later", { ...window(2, 5), tag: "dragon", pool_name: "别池" });
    const own = await made("own", {});
    const paused = await made("paused", {
      ...window(0, 2),
      condition_name: "0",
      condition_value: "0",
    });
    await a.call(activityRoutes.pause, { params: { id: paused }, body: { rounds_status: 0 } });
    await made("too late", window(4, 5));
    await made("all other", {
      pool_name: "别池",
      tag: "dragon",
      condition_name: "1",
      platforms: [3234, 7234],
    });
    const asked = { id: own, pool_name: POOL, tag: "weekend", condition_name: "2" };
    expect(await overlaps(asked)).toMatchObject([
      { id: paused, rounds_name: "paused", rounds_status: 0, shares: ["pool", "tag"] },
      { id: later, rounds_status: 1, start_time: shown(2), shares: ["deposits"] },
    ]);
    expect(await overlaps({ ...asked, id: undefined })).toHaveLength(3);
    expect(await overlaps({ pool_name: POOL })).toMatchObject([
      { id: paused, shares: ["pool"] },
      { id: own, shares: ["pool"] },
    ]);
    expect(await overlaps({})).toEqual([]);
    const bets = { condition_name: "1" };
    expect(await overlaps(bets)).toMatchObject([{ rounds_name: "all other", shares: ["bets"] }]);
    expect(await overlaps({ ...bets, platforms: [1234, 7234] })).toHaveLength(1);
    expect(await overlaps({ ...bets, platforms: [1234] })).toEqual([]);
  });

  test("do not include ended or deleted ones", async () => {
    await made("over", { ...window(-5, -3), achieve_end_time: shown(3) });
    const gone = await made("gone", {});
    await a.call(activityRoutes.remove, { params: { id: gone } });
    const asked = { ...window(-6, 3), pool_name: POOL, tag: "weekend", condition_name: "2" };
    expect(await overlaps(asked)).toEqual([]);
  });
});
