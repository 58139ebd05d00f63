import { activityRoutes } from "@red/contract/rounds/activity";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { bodyInPool, OTHER_POOL, useActivityCalls } from "#test/activity-calls";
import type { Changes } from "#test/activity-calls";
import { selectAudits } from "#test/activity-factory";
import { isSoldOut, weightTable } from "@red/engine/draw";
import { selectActivities } from "./activity-sql.ts";
import { makePrize, makeRound } from "#test/factories";
import { depositOf, feed, takeBack } from "#test/ingest-factory";
import { changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";

const t = useTestDb();
const a = useTestApp(t);
const { added, detail, listed } = useActivityCalls(t, a);

test("the largest deposit of the week leaves out reversed and older ones", async () => {
  const largest = async () =>
    (await a.call(activityRoutes.largest, { query: { source: "deposit" } })).data;
  expect(await largest()).toEqual({ amount: null });
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const rows = [
    depositOf("p", { amount: "12.50", created_at: ago(6) }),
    depositOf("p", { amount: "90.00", created_at: ago(1) }),
    depositOf("p", { amount: "99.00", created_at: ago(8) }),
  ];
  await feed(t.db, "deposits", rows);
  await takeBack(t.db, rows.slice(1, 2), { reason: "chargeback" });
  expect(await largest()).toEqual({ amount: "12.50" });
});

describe("adding an activity", () => {
  test("lists and details it exactly as it was sent, active and of version 1", async () => {
    const id = await added({ rounds_status: 1, draws_max: "5", day_draws_max: 10, platforms: [] });
    const limits = { draws_max: 5, day_draws_max: 10, platforms: null };
    const row = { ...bodyInPool(), ...limits, id, act_id: id, version: 1, rounds_status: 1 };
    expect(await a.call(activityRoutes.list, { query: { page: 1, size: 20 } })).toEqual({
      code: 200,
      msg: "success",
      data: { content: [{ ...row, pool_gate: "sold_out" }], total: 1 },
    });
    expect(await detail(id)).toEqual(row);
  });

  test("keeps its instants, its business day and version 1 of its rule", async () => {
    const id = await added({ condition_value: "120.50", start_time: "2026-11-20 00:30:00" });
    const row = await rowOf(t.db, "activity");
    expect(row.start_time.toISOString()).toBe("2026-11-19T16:30:00.000Z");
    expect(row.start_date).toBe("2026-11-20");
    const rules = await rowsOf(t.db, "activity_rule");
    expect(rules).toMatchObject([{ rounds_id: id, version: 1 }]);
    const { condition_value: _value, pool_name: _pool, ...sent } = bodyInPool();
    const time = expect.stringMatching(/^2026-11-\d\dT/) as string;
    expect(rules[0]?.rule).toEqual({
      ...sent,
      pool_id: row.pool_id,
      condition_value_cents: 12_050,
      achieve_start_time: time,
      achieve_end_time: time,
      start_time: time,
      end_time: time,
      draws_max: null,
      day_draws_max: null,
      platforms: null,
    });
    expect(await detail(id)).toMatchObject({ condition_value: "120.50" });
  });

  test("refuses an unknown group or pool and writes nothing", async () => {
    const create = async (changes: Changes) =>
      await a.call(activityRoutes.create, { body: bodyInPool(changes) });
    expect(await create({ tag: "spring" })).toMatchObject({ code: 400, msg: "没有这个活动组别" });
    expect(await create({ pool_name: "没有的池" })).toMatchObject({ code: 404, msg: "奖池不存在" });
    expect(await t.db.selectFrom("activity").select("id").execute()).toEqual([]);
    expect(await t.db.selectFrom("activity_rule").select("version").execute()).toEqual([]);
  });

  test("takes a name once per business day, among those that are not deleted", async () => {
    const id = await added();
    const body = bodyInPool({ start_time: "2026-11-20 00:00:00" });
    expect(await a.call(activityRoutes.create, { body })).toMatchObject({
      code: 409,
      msg: "同一天已有同名活动，请换一个名称",
    });
    await added({ start_time: "2026-11-21 00:00:00", end_time: "2026-11-21 01:00:00" });
    await a.call(activityRoutes.remove, { params: { id } });
    await added();
  });
});

describe("the list", () => {
  const day = "2026-11-20";

  test("has the newest start first, then the highest id", async () => {
    await added({ rounds_name: "早" });
    await added({ rounds_name: "晚", start_time: `${day} 21:00:00` });
    await added({ rounds_name: "早二" });
    expect((await listed({})).names).toEqual(["晚", "早二", "早"]);
  });

  test("returns the requested page and the number of all matches", async () => {
    for (const name of ["1", "2", "3", "4", "5"]) {
      await added({ rounds_name: name });
    }
    expect(await listed({ page: 1, size: 2 })).toEqual({ names: ["5", "4"], total: 5 });
    expect(await listed({ page: 3, size: 2 })).toEqual({ names: ["1"], total: 5 });
    expect(await listed({ page: 4, size: 2 })).toEqual({ names: [], total: 5 });
    expect((await listed({ size: 9999 })).total).toBe(5);
  });

  test("of a day has the rounds that start on that business day", async () => {
    await added({ rounds_name: "前", start_time: "2026-11-19 23:59:59" });
    await added({ rounds_name: "首", start_time: `${day} 00:00:00` });
    const end_time = "2026-11-21 02:00:00";
    await added({ rounds_name: "末", start_time: `${day} 23:59:59`, end_time });
    await added({ rounds_name: "后", start_time: "2026-11-21 00:00:00", end_time });
    expect(await listed({ start_date: day })).toEqual({ names: ["末", "首"], total: 2 });
  });

  test("shows that the draws from its pool are stopped", async () => {
    const { pool_id } = await makeRound(t.db);
    const stop = { name: "pool", pool_id, stopped_by: "root-op", reason: null } as const;
    await t.db.insertInto("stop_switch").values(stop).execute();
    expect(await a.read(activityRoutes.list, { query: {} })).toMatchObject({
      content: [{ pool_gate: "pool_stopped" }],
    });
  });

  test("filters by part of the name, group, pool and status, and ignores empty filters", async () => {
    await added({ rounds_name: "周末红包 Alpha%" });
    await added({ rounds_name: "端午红包", tag: "dragon" });
    const paused = await added({ rounds_name: "平日", pool_name: OTHER_POOL });
    await a.call(activityRoutes.pause, { params: { id: paused }, body: { rounds_status: 0 } });
    expect((await listed({ rounds_name: "红包" })).total).toBe(2);
    expect((await listed({ rounds_name: "alpha" })).names).toEqual(["周末红包 Alpha%"]);
    expect((await listed({ rounds_name: "%" })).names).toEqual(["周末红包 Alpha%"]);
    expect((await listed({ rounds_name: "_" })).names).toEqual([]);
    expect((await listed({ tag: "dragon" })).names).toEqual(["端午红包"]);
    expect((await listed({ pool_name: OTHER_POOL })).names).toEqual(["平日"]);
    expect((await listed({ pool_name: "平日" })).names).toEqual([]);
    expect((await listed({ rounds_status: "0" })).names).toEqual(["平日"]);
    expect((await listed({ rounds_status: 1 })).total).toBe(2);
    const none = { start_date: "", rounds_name: "", tag: "", pool_name: "" };
    expect((await listed(none)).total).toBe(3);
    expect((await listed({ rounds_name: "红包", tag: "dragon", size: 1 })).total).toBe(1);
  });
});

/** Returns the time `seconds` after the database time, as `yyyy-MM-dd HH:mm:ss` in the business time zone. */
async function fromNow(seconds: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select to_char((now() + make_interval(secs => ${seconds}::int)) at time zone 'Asia/Shanghai',
      'YYYY-MM-DD HH24:MI:SS') as at`.execute(t.db);
  return rows[0]?.at ?? "";
}

describe("saving an activity", () => {
  test("makes a new version of its rule, even without a change", async () => {
    const id = await added();
    const save = { params: { id }, body: bodyInPool({ turnover: 5 }) };
    expect(await a.call(activityRoutes.update, save)).toEqual({
      code: 200,
      msg: "修改成功",
      data: { version: 2 },
    });
    expect((await a.call(activityRoutes.update, save)).data).toEqual({ version: 3 });
    const rules = await rowsOf(t.db, "activity_rule", { rounds_id: id });
    expect(rules.map(({ version, rule }) => [version, rule])).toEqual([
      [1, expect.objectContaining({ turnover: 3 })],
      [2, expect.objectContaining({ turnover: 5 })],
      [3, expect.objectContaining({ turnover: 5 })],
    ]);
  });

  test("leaves one audit row with before and after as on the wire", async () => {
    const id = await added();
    const before = await detail(id);
    const times = { start_time: "2026-11-22 00:00:00", end_time: "2026-11-22 02:00:00" };
    const body = bodyInPool({ pool_name: OTHER_POOL, ...times });
    await a.call(activityRoutes.update, { params: { id }, body });
    const after = await detail(id);
    expect(after).toMatchObject({ pool_name: OTHER_POOL, version: 2 });
    expect((await listed({ start_date: "2026-11-20" })).total).toBe(0);
    expect((await listed({ start_date: "2026-11-22" })).total).toBe(1);
    const audits = await selectAudits(t.db, "activity", id);
    expect(audits.slice(1)).toEqual([
      { actor: "root-op", action: "update_activity", outcome: "done", before, after },
    ]);
  });

  test("accepts id and act_id only of its own address", async () => {
    const id = await added();
    const update = async (more: object) =>
      await a.call(activityRoutes.update, { params: { id }, body: { ...bodyInPool(), ...more } });
    expect((await update({ id: String(id), act_id: id })).code).toBe(200);
    for (const field of ["id", "act_id"]) {
      expect(await update({ [field]: id + 1 })).toEqual({
        code: 400,
        msg: "编号与地址不一致",
        data: { errors: [{ field, msg: "编号与地址不一致" }] },
        key: "bad_input",
      });
    }
  });

  test("refuses a name in use on that day, an unknown pool or group", async () => {
    const id = await added();
    await added({ rounds_name: "周末红包B" });
    const save = async (changes: Changes) =>
      (await a.call(activityRoutes.update, { params: { id }, body: bodyInPool(changes) })).msg;
    expect(await save({ rounds_name: "周末红包B" })).toBe("同一天已有同名活动，请换一个名称");
    expect(await save({ pool_name: "没有的池" })).toBe("奖池不存在");
    expect(await save({ tag: "spring" })).toBe("没有这个活动组别");
    expect(await selectAudits(t.db, "activity", id)).toHaveLength(1);
  });
});

describe("pausing an activity", () => {
  test("reports the new state, may be repeated, and makes no version", async () => {
    const id = await added();
    const pause = async (rounds_status: 0 | 1 | "0") =>
      await a.call(activityRoutes.pause, { params: { id }, body: { id, rounds_status } });
    expect(await pause(0)).toEqual({ code: 200, msg: "暂停活动成功", data: null });
    expect((await pause("0")).msg).toBe("暂停活动成功");
    expect(await detail(id)).toMatchObject({ rounds_status: 0, version: 1 });
    expect(await pause(1)).toEqual({ code: 200, msg: "恢复活动成功", data: null });
    const who = { actor: "root-op", outcome: "done" };
    const [active, paused] = [{ rounds_status: 1 }, { rounds_status: 0 }];
    expect((await selectAudits(t.db, "activity", id)).slice(1)).toEqual([
      { ...who, action: "pause_activity", before: active, after: paused },
      { ...who, action: "pause_activity", before: paused, after: paused },
      { ...who, action: "resume_activity", before: paused, after: active },
    ]);
  });

  test("is kept by a save", async () => {
    const id = await added();
    await a.call(activityRoutes.pause, { params: { id }, body: { rounds_status: 0 } });
    await a.call(activityRoutes.update, { params: { id }, body: bodyInPool() });
    expect(await detail(id)).toMatchObject({ rounds_status: 0, version: 2 });
  });

  test("refuses another id in the body", async () => {
    const id = await added();
    const other = { params: { id }, body: { rounds_status: 0, id: id + 1 } } as const;
    expect(await a.call(activityRoutes.pause, other)).toMatchObject({
      code: 400,
      msg: "编号与地址不一致",
    });
    expect(await detail(id)).toMatchObject({ rounds_status: 1 });
  });
});

describe("deleting an activity", () => {
  test("inside its window is refused until it is paused; its rule versions stay", async () => {
    const id = await added({ start_time: await fromNow(-60), end_time: await fromNow(3600) });
    const remove = async () => await a.call(activityRoutes.remove, { params: { id } });
    expect(await remove()).toMatchObject({ code: 409, msg: "请先暂停" });
    await a.call(activityRoutes.pause, { params: { id }, body: { rounds_status: 0 } });
    const before = await detail(id);
    expect(await remove()).toEqual({ code: 200, msg: "删除成功", data: null });
    expect(await listed({})).toEqual({ names: [], total: 0 });
    expect(await a.call(activityRoutes.detail, { params: { id } })).toMatchObject({ code: 404 });
    expect(await remove()).toMatchObject({ code: 404, msg: "活动不存在或已删除" });
    const rules = t.db.selectFrom("activity_rule").select("rounds_id");
    expect(await rules.execute()).toEqual([{ rounds_id: id }]);
    const audits = await selectAudits(t.db, "activity", id);
    expect(audits.slice(2)).toEqual([
      { actor: "root-op", action: "delete_activity", outcome: "done", before, after: null },
    ]);
  });

  test("that is active but outside its window is allowed", async () => {
    for (const [from = 0, to = 0] of [
      [60, 120],
      [-60, -2],
    ]) {
      const id = await added({ start_time: await fromNow(from), end_time: await fromNow(to) });
      expect((await a.call(activityRoutes.remove, { params: { id } })).code).toBe(200);
    }
  });
});

interface Kind {
  readonly weight: number;
  readonly drawn: number;
  readonly floors: boolean;
}

const TOTAL = 2;
const KINDS: readonly Kind[] = [0, 3].flatMap((weight) =>
  [0, TOTAL].flatMap((drawn) => [false, true].map((floors) => ({ weight, drawn, floors }))),
);

/** All pools of one or two prizes. Only one prize of a pool may be guaranteed (behaviour §5). */
const POOLS: readonly (readonly Kind[])[] = [
  ...KINDS.map((kind) => [kind]),
  ...KINDS.flatMap((one, index) => KINDS.slice(index).map((other) => [one, other])).filter(
    (kinds) => kinds.filter(({ floors }) => floors).length < 2,
  ),
];

async function makePoolOf([first, ...others]: readonly Kind[]): Promise<number> {
  const { rounds_id, pool_id, prize_id } = await makeRound(t.db);
  await changeRows(t.db, "prize", { id: prize_id }, { award_total: TOTAL, ...first });
  for (const kind of others) {
    await makePrize(t.db, { pool_id, award_total: TOTAL, ...kind });
  }
  return rounds_id;
}

test("a round is listed as sold out where the engine would refuse every draw", async () => {
  const expected = new Map<number, string | null>();
  for (const kinds of POOLS) {
    const prizes = kinds.map(({ drawn, ...kind }, at) => {
      return { id: at + 1, left: TOTAL - drawn, ...kind };
    });
    const gate = isSoldOut(weightTable(prizes)) ? "sold_out" : null;
    expected.set(await makePoolOf(kinds), gate);
  }
  const { rows } = await selectActivities(t.db, { page: 1, size: 500 }, "Asia/Shanghai");
  expect(new Map(rows.map(({ id, pool_gate }) => [id, pool_gate]))).toEqual(expected);
  expect(new Set(expected.values())).toEqual(new Set(["sold_out", null]));
});
