import { activityRoutes } from "@red/contract/rounds/activity";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import { beforeEach, expect, test } from "vitest";
import { activityBody, prizeBody, selectAudits, selectPoolVersions } from "#test/activity-factory";
import { changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";

const t = useTestDb();
const a = useTestApp(t);

beforeEach(() => clear(t.db, "activity_rule", "activity", "prize", "pool_version", "pool"));

async function added(pool_name: string): Promise<number> {
  const answer = await a.call(poolRoutes.create, { body: { pool_name } });
  // A deleted pool may have had this name, so the newest pool is the right one.
  const id = Math.max(...(await rowsOf(t.db, "pool", { pool_name })).map((pool) => pool.id));
  expect(answer).toEqual({ code: 200, msg: "添加成功", data: { id } });
  return id;
}

async function addPrize(changes: Parameters<typeof prizeBody>[0]): Promise<void> {
  expect((await a.call(prizeRoutes.create, { body: prizeBody(changes) })).code).toBe(200);
}

const TAKEN = { code: 409, msg: "已有同名奖池，请换一个名称" };
const NOT_FOUND = { code: 404, msg: "奖池不存在" };

test("an added pool is empty, of version 1, and audited", async () => {
  const id = await added("pool 1");
  expect(await a.call(poolRoutes.list, {})).toEqual({
    code: 200,
    msg: "success",
    data: {
      content: [{ id, pool_name: "pool 1", prizes: 0, rounds: 0, stopped: false }],
      total: 1,
    },
  });
  expect(await selectPoolVersions(t.db, id)).toEqual([{ version: 1, prizes: [] }]);
  expect(await selectAudits(t.db, "pool", id)).toEqual([
    {
      actor: "root-op",
      action: "create_pool",
      outcome: "done",
      before: null,
      after: { pool_name: "pool 1" },
    },
  ]);
});

test("the list counts prizes and rounds that are not deleted", async () => {
  const one = await added("甲");
  const two = await added("乙");
  await addPrize({ pool_name: "甲" });
  await addPrize({ pool_name: "甲", award_name: "手机", award_price: "0.00" });
  const gone = await rowOf(t.db, "prize");
  await a.call(prizeRoutes.remove, { params: { id: gone.id } });
  for (const rounds_name of ["A", "B", "C"]) {
    await a.call(activityRoutes.create, { body: activityBody({ pool_name: "乙", rounds_name }) });
  }
  const round = await rowOf(t.db, "activity");
  await a.call(activityRoutes.pause, { params: { id: round.id }, body: { rounds_status: 0 } });
  await a.call(activityRoutes.remove, { params: { id: round.id } });
  expect((await a.call(poolRoutes.list, {})).data).toEqual({
    content: [
      { id: one, pool_name: "甲", prizes: 1, rounds: 0, stopped: false },
      { id: two, pool_name: "乙", prizes: 0, rounds: 2, stopped: false },
    ],
    total: 2,
  });
});

test("a name is unique, also after renaming and copying", async () => {
  await added("甲");
  const id = await added("乙");
  const body = { pool_name: "甲" };
  expect(await a.call(poolRoutes.create, { body })).toMatchObject(TAKEN);
  expect(await a.call(poolRoutes.rename, { params: { id }, body })).toMatchObject(TAKEN);
  expect(await a.call(poolRoutes.copy, { params: { id }, body })).toMatchObject(TAKEN);
  expect(await selectAudits(t.db, "pool", id)).toHaveLength(1);
  expect((await a.call(poolRoutes.list, {})).data).toMatchObject({ total: 2 });
});

test("a renamed pool keeps its prizes and rounds and makes no version", async () => {
  const id = await added("甲");
  await addPrize({ pool_name: "甲" });
  await a.call(activityRoutes.create, { body: activityBody({ pool_name: "甲" }) });
  expect(await a.call(poolRoutes.rename, { params: { id }, body: { pool_name: "新" } })).toEqual({
    code: 200,
    msg: "修改成功",
    data: null,
  });
  expect((await a.call(poolRoutes.list, {})).data).toMatchObject({
    content: [{ id, pool_name: "新", prizes: 1, rounds: 1, stopped: false }],
  });
  const prizes = await a.call(prizeRoutes.list, { query: { pool_name: "新" } });
  expect(prizes.data).toMatchObject({ content: [{ pool_name: "新" }], total: 1 });
  const rounds = await a.call(activityRoutes.list, { query: { pool_name: "新" } });
  expect(rounds.data).toMatchObject({ content: [{ pool_name: "新" }], total: 1 });
  expect(await selectPoolVersions(t.db, id)).toHaveLength(2);
  expect((await selectAudits(t.db, "pool", id)).slice(1)).toMatchObject([
    { action: "rename_pool", before: { pool_name: "甲" }, after: { pool_name: "新" } },
  ]);
});

test("a copy has the live prizes in order with full stock, and the source is unchanged", async () => {
  const id = await added("甲");
  for (const award_name of ["一", "二", "三"]) {
    await addPrize({ pool_name: "甲", award_name, floors: award_name === "三" ? 1 : 0 });
  }
  await changeRows(t.db, "prize", {}, { drawn: 12 });
  const second = await rowOf(t.db, "prize", { award_name: "二" });
  await a.call(prizeRoutes.remove, { params: { id: second.id } });
  const source = await a.call(prizeRoutes.list, { query: { pool_name: "甲" } });
  const versions = await selectPoolVersions(t.db, id);

  const answer = await a.call(poolRoutes.copy, { params: { id }, body: { pool_name: "甲二" } });
  const { id: copy } = await rowOf(t.db, "pool", { pool_name: "甲二" });
  expect(answer).toEqual({ code: 200, msg: "添加成功", data: { id: copy } });
  const prizes = await rowsOf(t.db, "prize", { pool_id: copy });
  const copied = { award_price_cents: 888, weight: 3000, award_total: 40, drawn: 0 };
  expect(prizes).toMatchObject([
    { ...copied, award_name: "一", floors: false },
    { ...copied, award_name: "三", floors: true },
  ]);
  expect(await selectPoolVersions(t.db, copy)).toMatchObject([
    { version: 1, prizes: prizes.map((row) => ({ id: row.id, award_name: row.award_name })) },
  ]);
  expect(await a.call(prizeRoutes.list, { query: { pool_name: "甲" } })).toEqual(source);
  expect(await selectPoolVersions(t.db, id)).toEqual(versions);
  expect(await selectAudits(t.db, "pool", copy)).toMatchObject([
    { action: "copy_pool", before: null, after: { pool_name: "甲二", copy_of: id } },
  ]);
});

test("a pool is deleted once no round uses it; then its name is free", async () => {
  const id = await added("甲");
  await addPrize({ pool_name: "甲" });
  const prize = await rowOf(t.db, "prize");
  for (const rounds_name of ["A", "B"]) {
    await a.call(activityRoutes.create, { body: activityBody({ pool_name: "甲", rounds_name }) });
  }
  const remove = async () => await a.call(poolRoutes.remove, { params: { id } });
  expect(await remove()).toMatchObject({ code: 409, msg: "奖池正被 2 个活动使用，不能删除" });
  await t.db.updateTable("activity").set({ deleted_at: new Date() }).execute();
  expect(await remove()).toEqual({ code: 200, msg: "删除成功", data: null });

  expect((await a.call(poolRoutes.list, {})).data).toEqual({ content: [], total: 0 });
  expect(await remove()).toMatchObject(NOT_FOUND);
  expect(await a.call(prizeRoutes.detail, { params: { id: prize.id } })).toMatchObject({
    code: 404,
    msg: "奖品不存在或已删除",
  });
  expect(await a.call(prizeRoutes.remove, { params: { id: prize.id } })).toMatchObject({
    code: 404,
  });
  expect((await selectAudits(t.db, "pool", id)).slice(1)).toMatchObject([
    {
      action: "delete_pool",
      before: { id, pool_name: "甲", prizes: 1, rounds: 0, stopped: false },
      after: null,
    },
  ]);
  expect(await added("甲")).not.toBe(id);
});
