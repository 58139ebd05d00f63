import { activityRoutes } from "@red/contract/activity";
import type { ListedActivity } from "@red/contract/activity";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { bodyInPool, OTHER_POOL, useActivityCalls } from "#test/activity-calls";
import type { Changes } from "#test/activity-calls";
import { selectAudits } from "#test/activity-factory";
import { makePrize } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";

const t = useTestDb();
const a = useTestApp(t);
const { added, detail, listed } = useActivityCalls(t, a);

describe("adding an activity", () => {
  test("lists and details it exactly as it was sent, active and of version 1", async () => {
    const id = await added({ rounds_status: 1 });
    const row = { ...bodyInPool(), id, act_id: id, version: 1, rounds_status: 1 };
    expect(await a.call(activityRoutes.list, { query: { page: 1, size: 20 } })).toEqual({
      code: 200,
      msg: "success",
      data: { content: [{ ...row, pool_gate: "sold_out" }], total: 1 },
    });
    expect(await detail(id)).toEqual(row);
  });

  test("keeps its instants, its business day and version 1 of its rule", async () => {
    const id = await added({ condition_value: "120.50", start_time: "2026-11-20 00:30:00" });
    const row = await t.db.selectFrom("activity").selectAll().executeTakeFirstOrThrow();
    expect(row.start_time.toISOString()).toBe("2026-11-19T16:30:00.000Z");
    expect(row.start_date).toBe("2026-11-20");
    const rules = await t.db.selectFrom("activity_rule").selectAll().execute();
    expect(rules).toMatchObject([{ rounds_id: id, version: 1 }]);
    expect(rules[0]?.rule).toEqual({
      rounds_name: "周末红包A",
      tag: "weekend",
      red_code: "RED_PACKET",
      pool_id: row.pool_id,
      condition_name: "2",
      condition_formula: "1",
      condition_type: "2",
      condition_value_cents: 12_050,
      condition_times: 1,
      turnover: 3,
      achieve_start_time: expect.stringMatching(/^2026-11-\d\dT/),
      achieve_end_time: expect.stringMatching(/^2026-11-\d\dT/),
      start_time: expect.stringMatching(/^2026-11-(19|20)T/),
      end_time: expect.stringMatching(/^2026-11-\d\dT/),
    });
    expect(await detail(id)).toMatchObject({
      condition_value: "120.50",
    });
  });

  test("makes the room for its records", async () => {
    const id = await added();
    const { rows } = await sql<{ part: string | null }>`
      select to_regclass(${`draw_record_${String(Math.floor(id / 64)).padStart(6, "0")}`})::text
        as part`.execute(t.db);
    expect(rows[0]?.part).not.toBeNull();
  });

  test("leaves one audit row with what was added", async () => {
    const id = await added();
    const after = await detail(id);
    expect(await selectAudits(t.db, "activity", id)).toEqual([
      { actor: "root-op", action: "create_activity", outcome: "done", before: null, after },
    ]);
  });

  test("names the field that is missing, in the specification's words", async () => {
    const answer = await a.call(activityRoutes.create, { body: bodyInPool({ rounds_name: "" }) });
    expect(answer).toEqual({
      code: 400,
      msg: "请填写活动名称",
      data: { errors: [{ field: "rounds_name", msg: "请填写活动名称" }] },
      key: "bad_input",
    });
  });

  test.each([
    ["an unknown group", { tag: "spring" }, 400, "没有这个活动组别"],
    ["an unknown pool", { pool_name: "没有的池" }, 404, "奖池不存在"],
    [
      "a value without a condition",
      { condition_name: "0", condition_value: "5" },
      400,
      "无限制和白名单的条件值只能是 0",
    ],
    [
      "a window that ends before it starts",
      { end_time: "2026-11-20 19:59:59" },
      400,
      "结束时间不能早于开始时间",
    ],
    ["a paused status", { rounds_status: "0" }, 400, "新活动只能是启用状态"],
  ] as const)("refuses %s and writes nothing", async (_, changes, code, msg) => {
    // One of the cases is what the contract refuses; its type would refuse it too.
    const answer = await a.call(activityRoutes.create, { body: bodyInPool(changes as Changes) });
    expect(answer).toMatchObject({ code, msg });
    expect(await t.db.selectFrom("activity").select("id").execute()).toEqual([]);
    expect(await t.db.selectFrom("activity_rule").select("version").execute()).toEqual([]);
  });

  test.each([
    ["nothing", {}],
    ["empty", { condition_formula: "", condition_type: "" }],
    ["null", { condition_formula: null, condition_type: null }],
    ["zero", { condition_formula: "0", condition_type: "0" }],
    ["the codes of the preset chosen before", { condition_formula: "1", condition_type: "2" }],
  ] as const)("of a whitelist takes %s as formula and type", async (_, codes) => {
    const { condition_formula: _formula, condition_type: _type, ...rest } = bodyInPool();
    const answer = await a.call(activityRoutes.create, {
      body: { ...rest, condition_name: "3", condition_value: "0", ...codes },
    });
    expect(answer.code).toBe(200);
    const rows = await t.db.selectFrom("activity").selectAll().execute();
    expect(rows).toMatchObject([
      {
        condition_name: "3",
        condition_formula: "0",
        condition_type: "0",
        condition_value_cents: 0,
      },
    ]);
  });

  test("takes a name once per business day, among those that are not deleted", async () => {
    const id = await added();
    expect(
      await a.call(activityRoutes.create, {
        body: bodyInPool({ start_time: "2026-11-20 00:00:00" }),
      }),
    ).toMatchObject({ code: 409, msg: "同一天已有同名活动，请换一个名称" });
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

  test("answers the page asked for and the number of all matches", async () => {
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
    await added({
      rounds_name: "末",
      start_time: `${day} 23:59:59`,
      end_time: "2026-11-21 02:00:00",
    });
    await added({
      rounds_name: "后",
      start_time: "2026-11-21 00:00:00",
      end_time: "2026-11-21 02:00:00",
    });
    expect(await listed({ start_date: day })).toEqual({ names: ["末", "首"], total: 2 });
  });

  test("says what keeps draws from a pool away: no piece left that can be drawn, or stopped", async () => {
    await added({});
    const { id: pool_id } = await t.db
      .selectFrom("pool")
      .select("id")
      .where("pool_name", "=", bodyInPool().pool_name)
      .executeTakeFirstOrThrow();
    const gates = async () => {
      const { data } = await a.call(activityRoutes.list, { query: { page: 1, size: 20 } });
      // Answers are checked against the contract in tests.
      const { content } = data as { content: readonly ListedActivity[] };
      return content.map(({ pool_gate }) => pool_gate);
    };
    expect(await gates()).toEqual(["sold_out"]);
    const never = await makePrize(t.db, { pool_id, weight: 0, award_total: 5 });
    expect(await gates()).toEqual(["sold_out"]);
    await t.db.updateTable("prize").set({ floors: true }).where("id", "=", never).execute();
    expect(await gates()).toEqual([null]);
    await t.db.updateTable("prize").set({ drawn: 5 }).where("id", "=", never).execute();
    expect(await gates()).toEqual(["sold_out"]);
    await makePrize(t.db, { pool_id });
    expect(await gates()).toEqual([null]);
    const by = { stopped_by: "root-op", reason: null };
    await t.db
      .insertInto("stop_switch")
      .values({ name: "pool", pool_id, ...by })
      .execute();
    expect(await gates()).toEqual(["pool_stopped"]);
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
    expect((await listed({ start_date: "", rounds_name: "", tag: "", pool_name: "" })).total).toBe(
      3,
    );
    expect(await listed({ rounds_name: "红包", tag: "dragon", size: 1 })).toMatchObject({
      total: 1,
    });
  });
});
test("groups are answered key to label", async () => {
  expect(await a.call(activityRoutes.tags, {})).toEqual({
    code: 200,
    msg: "success",
    data: { tags: { weekend: "周末红包", dragon: "端午红包" } },
  });
});
