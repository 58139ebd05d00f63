import { AWARD_TOTAL_MAX } from "@red/contract/platform/limits";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import { beforeEach, describe, expect, test } from "vitest";
import { prizeBody, selectAudits, selectPoolVersions } from "#test/activity-factory";
import { changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";

const t = useTestDb();
const a = useTestApp(t);
const pool_name = "周末池";

beforeEach(() => clear(t.db, "prize", "pool_version", "pool"));

type Changes = Partial<Parameters<typeof prizeBody>[0]>;

function body(changes: Changes = {}) {
  return prizeBody({ pool_name, ...changes });
}

async function added(changes: Changes = {}): Promise<number> {
  const answer = await a.call(prizeRoutes.create, { body: body(changes) });
  const id = Math.max(...(await rowsOf(t.db, "prize")).map((prize) => prize.id));
  expect(answer).toEqual({ code: 200, msg: "添加成功", data: { id } });
  return id;
}

const poolId = async () => (await rowOf(t.db, "pool")).id;
const detail = (id: number) => a.read(prizeRoutes.detail, { params: { id } });
const setDrawn = (id: number, drawn: number) => changeRows(t.db, "prize", { id }, { drawn });

const NOT_FOUND = { code: 404, msg: "奖品不存在或已删除" };
const POOL_NOT_FOUND = { code: 404, msg: "奖池不存在" };
const TAKEN = { code: 409, msg: "该奖池已有同名奖品" };

describe("adding a prize", () => {
  test("creates the pool when its name is new, and lists both", async () => {
    const id = await added();
    const row = { ...body(), id, version: 1, drawn: 0, remaining: 40 };
    const query = { pool_name, page: 1, size: 9999 };
    expect(await a.call(prizeRoutes.list, { query })).toEqual({
      code: 200,
      msg: "success",
      data: { content: [row], total: 1 },
    });
    expect(await detail(id)).toEqual(row);
    expect(await a.call(prizeRoutes.lastSave, { params: { id } })).toMatchObject({
      data: { by: "root-op", at: expect.any(String) as string },
    });
    const pool_id = await poolId();
    expect((await a.call(poolRoutes.list, {})).data).toEqual({
      content: [{ id: pool_id, pool_name, prizes: 1, rounds: 0, stopped: false }],
      total: 1,
    });
    expect(await selectAudits(t.db, "prize", id)).toEqual([
      {
        actor: "root-op",
        action: "create_prize",
        outcome: "done",
        before: null,
        after: { ...row, pool_created: pool_id },
      },
    ]);
    expect(await selectAudits(t.db, "pool", pool_id)).toEqual([]);
  });

  test("stores each version of the pool, prizes in id order", async () => {
    const one = await added();
    const two = await added({ award_name: "手机", award_price: "0", weight: 0, floors: "1" });
    const common = { award_total: 40, award_price_cents: 888, weight: 3000, floors: false };
    const first = { ...common, id: one, award_name: "8.88元红包" };
    const changed = { award_price_cents: 0, weight: 0, floors: true };
    const second = { ...common, ...changed, id: two, award_name: "手机" };
    expect(await selectPoolVersions(t.db, await poolId())).toEqual([
      { version: 1, prizes: [first] },
      { version: 2, prizes: [first, second] },
    ]);
    expect((await rowOf(t.db, "pool")).version).toBe(2);
    expect((await selectAudits(t.db, "prize", two))[0]?.after).toEqual(await detail(two));
  });
});

describe("the totals", () => {
  test("are sums over the live prizes of the pool", async () => {
    await added({ award_total: 40, weight: 3000 });
    for (const award_name of ["二", "三", "四"]) {
      await added({ award_name, award_total: AWARD_TOTAL_MAX, weight: 1_000_000_000 });
    }
    await added({ pool_name: "另一池" });
    const gone = await added({ award_name: "五", weight: 7 });
    await a.call(prizeRoutes.remove, { params: { id: gone } });
    const totals = { prize_total: 3_000_000_040, weight_total: 3_000_003_000 };
    expect(await a.read(prizeRoutes.totals, { query: { pool_name } })).toEqual([totals]);
  });

  test("of an empty pool are zeros; a pool that does not exist is an error", async () => {
    await a.call(poolRoutes.create, { body: { pool_name } });
    expect(await a.call(prizeRoutes.totals, { query: { pool_name } })).toMatchObject({
      code: 200,
      data: [{ prize_total: 0, weight_total: 0 }],
    });
    const query = { pool_name: "周末" };
    expect(await a.call(prizeRoutes.totals, { query })).toMatchObject(POOL_NOT_FOUND);
    expect(await a.call(prizeRoutes.list, { query })).toMatchObject(POOL_NOT_FOUND);
  });
});

test("the list is paged in id order with the exact number of all", async () => {
  const ids = [await added(), await added({ award_name: "二" }), await added({ award_name: "三" })];
  const page = async (number: number) =>
    (await a.call(prizeRoutes.list, { query: { pool_name, page: number, size: 2 } })).data;
  expect(await page(1)).toMatchObject({ content: [{ id: ids[0] }, { id: ids[1] }], total: 3 });
  expect(await page(2)).toMatchObject({ content: [{ id: ids[2] }], total: 3 });
  expect(await page(3)).toEqual({ content: [], total: 3 });
});

describe("saving a prize", () => {
  test("changes it for the next draw and leaves one audit row", async () => {
    const id = await added();
    await setDrawn(id, 12);
    const before = await detail(id);
    const changes = { award_price: "9.99", weight: 10, floors: 1 } as const;
    const save = { ...body(changes), weight: "10", id };
    expect(await a.call(prizeRoutes.update, { params: { id }, body: save })).toEqual({
      code: 200,
      msg: "修改成功",
      data: { version: 2 },
    });
    const after = await detail(id);
    expect(after).toEqual({ ...body(changes), id, version: 2, drawn: 12, remaining: 28 });
    expect((await selectAudits(t.db, "prize", id)).slice(1)).toEqual([
      { actor: "root-op", action: "update_prize", outcome: "done", before, after },
    ]);
    expect(await selectPoolVersions(t.db, await poolId())).toMatchObject([
      { version: 1, prizes: [{ award_price_cents: 888 }] },
      { version: 2, prizes: [{ award_price_cents: 999 }] },
    ]);
  });

  test("may lower the total to what is drawn, not below", async () => {
    const id = await added();
    await setDrawn(id, 12);
    const save = async (award_total: number) =>
      await a.call(prizeRoutes.update, { params: { id }, body: body({ award_total }) });
    expect(await save(11)).toMatchObject({ code: 409, msg: "奖品总数不能小于已抽出的 12" });
    expect(await detail(id)).toMatchObject({ award_total: 40 });
    expect(await save(12)).toMatchObject({ code: 200 });
    expect(await detail(id)).toMatchObject({ award_total: 12, remaining: 0 });
  });

  test("refuses another pool, a name in use, and another id", async () => {
    const id = await added();
    await added({ award_name: "二" });
    await added({ pool_name: "另一池" });
    const save = async (changes: Changes & { id?: number }) =>
      await a.call(prizeRoutes.update, { params: { id }, body: { ...body(), ...changes } });
    expect(await save({ pool_name: "另一池" })).toMatchObject({
      code: 400,
      msg: "奖品不能移到另一个奖池",
    });
    expect(await save({ award_name: "二" })).toMatchObject(TAKEN);
    expect(await save({ id: id + 1 })).toEqual({
      code: 400,
      msg: "编号与地址不一致",
      data: { errors: [{ field: "id", msg: "编号与地址不一致" }] },
      key: "bad_input",
    });
    expect(await selectAudits(t.db, "prize", id)).toHaveLength(1);
  });
});

describe("a form that was opened before", () => {
  test("stock was added is refused, and does not restore the old total", async () => {
    const id = await added();
    const { version } = await detail(id);
    await a.call(prizeRoutes.addStock, { params: { id }, body: { add: 10 } });
    const save = async (opened: number | string) =>
      await a.call(prizeRoutes.update, {
        params: { id },
        body: { ...body({ award_price: "9.99" }), version: opened },
      });
    const stale = { code: 409, msg: "内容已被他人修改，请刷新后重试" };
    expect(await save(version)).toMatchObject(stale);
    expect(await save(version + 2)).toMatchObject(stale);
    const now = await detail(id);
    expect(now).toMatchObject({ award_total: 50, award_price: "8.88", version: version + 1 });
    expect(await selectAudits(t.db, "prize", id)).toHaveLength(2);
    expect(await save(String(version + 1))).toMatchObject({ code: 200 });
  });
});

describe("adding stock", () => {
  test("raises the total by the number sent", async () => {
    const id = await added();
    await setDrawn(id, 40);
    expect(await a.call(prizeRoutes.addStock, { params: { id }, body: { add: 10 } })).toEqual({
      code: 200,
      msg: "修改成功",
      data: { award_total: 50 },
    });
    expect(await detail(id)).toMatchObject({ award_total: 50, drawn: 40, remaining: 10 });
    expect((await selectAudits(t.db, "prize", id)).slice(1)).toMatchObject([
      { action: "add_stock", before: { award_total: 40 }, after: { award_total: 50 } },
    ]);
    expect(await selectPoolVersions(t.db, await poolId())).toMatchObject([
      { version: 1, prizes: [{ award_total: 40 }] },
      { version: 2, prizes: [{ award_total: 50 }] },
    ]);
  });

  test("is refused beyond the limit of a total", async () => {
    const id = await added();
    const more = { params: { id }, body: { add: AWARD_TOTAL_MAX } };
    expect(await a.call(prizeRoutes.addStock, more)).toMatchObject({
      code: 400,
      msg: "奖品总数不能超过 1000000000",
    });
    expect(await detail(id)).toMatchObject({ award_total: 40 });
  });
});

test("a deleted prize leaves its pool and frees its name; its versions stay", async () => {
  const id = await added();
  await setDrawn(id, 3);
  const before = await detail(id);
  const remove = async () => await a.call(prizeRoutes.remove, { params: { id } });
  expect(await remove()).toEqual({ code: 200, msg: "删除成功", data: null });
  const query = { pool_name };
  expect(await a.read(prizeRoutes.list, { query })).toEqual({ content: [], total: 0 });
  expect(await a.call(prizeRoutes.detail, { params: { id } })).toMatchObject(NOT_FOUND);
  expect(await remove()).toMatchObject(NOT_FOUND);
  expect(await selectPoolVersions(t.db, await poolId())).toMatchObject([
    { version: 1, prizes: [{ id }] },
    { version: 2, prizes: [] },
  ]);
  expect((await selectAudits(t.db, "prize", id)).slice(1)).toEqual([
    { actor: "root-op", action: "delete_prize", outcome: "done", before, after: null },
  ]);
  expect(await added()).not.toBe(id);
});
