import { activityRoutes } from "@red/contract/activity";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { bodyInPool, OTHER_POOL, useActivityCalls } from "#test/activity-calls";
import type { Changes } from "#test/activity-calls";
import { selectAudits } from "#test/activity-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";

const t = useTestDb();
const a = useTestApp(t);
const { added, detail, listed } = useActivityCalls(t, a);

/** `yyyy-MM-dd HH:mm:ss` on the business clocks, so many seconds from the database's now. */
async function fromNow(seconds: number): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    select to_char((now() + make_interval(secs => ${seconds}::int)) at time zone 'Asia/Shanghai',
      'YYYY-MM-DD HH24:MI:SS') as at`.execute(t.db);
  return rows[0]?.at ?? "";
}

describe("saving an activity", () => {
  test("makes a new version of its rule, also when nothing differs", async () => {
    const id = await added();
    const save = { params: { id }, body: bodyInPool({ turnover: 5 }) };
    expect(await a.call(activityRoutes.update, save)).toEqual({
      code: 200,
      msg: "修改成功",
      data: { version: 2 },
    });
    expect((await a.call(activityRoutes.update, save)).data).toEqual({ version: 3 });
    const rules = await t.db.selectFrom("activity_rule").selectAll().orderBy("version").execute();
    expect(rules.map(({ version, rule }) => [version, rule])).toEqual([
      [1, expect.objectContaining({ turnover: 3 })],
      [2, expect.objectContaining({ turnover: 5 })],
      [3, expect.objectContaining({ turnover: 5 })],
    ]);
  });

  test("leaves one audit row with before and after as on the wire", async () => {
    const id = await added();
    const before = await detail(id);
    await a.call(activityRoutes.update, {
      params: { id },
      body: bodyInPool({ pool_name: OTHER_POOL }),
    });
    const after = await detail(id);
    expect(after).toMatchObject({ pool_name: OTHER_POOL, version: 2 });
    const audits = await selectAudits(t.db, "activity", id);
    expect(audits.slice(1)).toEqual([
      { actor: "root-op", action: "update_activity", outcome: "done", before, after },
    ]);
  });

  test("moves it to the business day of its new start", async () => {
    const id = await added();
    const start_time = "2026-11-22 00:00:00";
    await a.call(activityRoutes.update, {
      params: { id },
      body: bodyInPool({ start_time, end_time: "2026-11-22 02:00:00" }),
    });
    expect((await listed({ start_date: "2026-11-20" })).total).toBe(0);
    expect((await listed({ start_date: "2026-11-22" })).total).toBe(1);
    await added();
  });

  test("keeps the status that it has", async () => {
    const id = await added();
    await a.call(activityRoutes.pause, { params: { id }, body: { rounds_status: 0 } });
    await a.call(activityRoutes.update, { params: { id }, body: bodyInPool() });
    expect(await detail(id)).toMatchObject({
      rounds_status: 0,
    });
  });

  test("from an outdated form is refused and changes nothing", async () => {
    const id = await added();
    const save = { params: { id }, body: { ...bodyInPool({ turnover: 7 }), version: 1 } };
    expect((await a.call(activityRoutes.update, save)).data).toEqual({ version: 2 });
    expect(
      await a.call(activityRoutes.update, { ...save, body: { ...save.body, turnover: 8 } }),
    ).toMatchObject({ code: 409, msg: "内容已被他人修改，请刷新后重试" });
    expect(await detail(id)).toMatchObject({
      version: 2,
      turnover: 7,
    });
    expect(await selectAudits(t.db, "activity", id)).toHaveLength(2);
  });

  test("takes id and act_id of its own address only", async () => {
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

  test("refuses another's name of that day, an unknown pool, group and activity", async () => {
    const id = await added();
    await added({ rounds_name: "周末红包B" });
    const save = async (changes: Changes, at = id) =>
      (await a.call(activityRoutes.update, { params: { id: at }, body: bodyInPool(changes) })).msg;
    expect(await save({ rounds_name: "周末红包B" })).toBe("同一天已有同名活动，请换一个名称");
    expect(await save({ pool_name: "没有的池" })).toBe("奖池不存在");
    expect(await save({ tag: "spring" })).toBe("没有这个活动组别");
    expect(await save({}, 2_000_000_000)).toBe("活动不存在或已删除");
    expect(await save({}, Number.MAX_SAFE_INTEGER)).toBe("活动不存在或已删除");
    expect(await selectAudits(t.db, "activity", id)).toHaveLength(1);
  });
});

describe("pausing an activity", () => {
  test("says which way it went, may be repeated, and makes no version", async () => {
    const id = await added();
    const pause = async (rounds_status: 0 | 1 | "0") =>
      await a.call(activityRoutes.pause, { params: { id }, body: { id, rounds_status } });
    expect(await pause(0)).toEqual({ code: 200, msg: "暂停活动成功", data: null });
    expect((await pause("0")).msg).toBe("暂停活动成功");
    expect(await detail(id)).toMatchObject({
      rounds_status: 0,
      version: 1,
    });
    expect(await pause(1)).toEqual({ code: 200, msg: "恢复活动成功", data: null });
    const who = { actor: "root-op", outcome: "done" };
    const [active, paused] = [{ rounds_status: 1 }, { rounds_status: 0 }];
    expect((await selectAudits(t.db, "activity", id)).slice(1)).toEqual([
      { ...who, action: "pause_activity", before: active, after: paused },
      { ...who, action: "pause_activity", before: paused, after: paused },
      { ...who, action: "resume_activity", before: paused, after: active },
    ]);
  });

  test("refuses another id in the body, no status, and an activity that is not there", async () => {
    const id = await added();
    const pause = async (at: number, sent: object) =>
      // Bodies that the contract refuses cannot be typed by it.
      await a.call(activityRoutes.pause, {
        params: { id: at },
        body: sent as { rounds_status: 0 },
      });
    expect(await pause(id, { id: id + 1, rounds_status: 0 })).toMatchObject({
      code: 400,
      msg: "编号与地址不一致",
    });
    expect(await pause(id, {})).toMatchObject({ code: 400 });
    expect(await pause(id, { rounds_status: 2 })).toMatchObject({ code: 400 });
    expect(await pause(id + 1, { rounds_status: 0 })).toMatchObject({ code: 404 });
    expect(await detail(id)).toMatchObject({
      rounds_status: 1,
    });
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
    const windows = [
      ["将来", 60, 120],
      ["过去", -60, -2],
    ] as const;
    for (const [rounds_name, from, to] of windows) {
      const window = { start_time: await fromNow(from), end_time: await fromNow(to) };
      const id = await added({ rounds_name, ...window });
      expect((await a.call(activityRoutes.remove, { params: { id } })).code).toBe(200);
    }
  });
});
