/** Rules that the prizes of a pool must satisfy while draws and other changes run. */
import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import { addStock, createPrize, deletePrize, updatePrize } from "./change-prize.ts";
import { copyPool } from "./change-pool.ts";
import { createActivity, updateActivity } from "#rounds/change-activity";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { hasSqlState } from "#platform/db/constraints";
import { lockDraw } from "#draws/draw-sql";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import {
  activityForm,
  OPERATOR,
  prizeForm,
  selectAudits,
  selectPoolVersions,
  ZONE,
} from "#test/activity-factory";
import { hold, meet, untilWaiting } from "#test/races";
import { changeRows, rowOf } from "#test/rows";
import { clear, useTestDb } from "#test/test-db";

const t = useTestDb();
const pool_name = "周末池";

beforeEach(() => clear(t.db, "activity_rule", "activity", "prize", "pool_version", "pool"));

type Changes = Partial<Parameters<typeof prizeForm>[0]>;

function create(changes: Changes = {}) {
  const form = prizeForm({ pool_name, ...changes });
  return async (tx: Tx) => (await createPrize(tx, OPERATOR, form)).data.id;
}

function save(id: number, changes: Changes = {}) {
  const form = prizeForm({ pool_name, ...changes });
  return (tx: Tx) => updatePrize(tx, OPERATOR, id, form);
}

const poolId = async () => (await rowOf(t.db, "pool")).id;

function draw(id: number, count: number) {
  return sql`update prize set drawn = drawn + ${count} where id = ${id}`;
}

describe("a total", () => {
  test("lowered during draws is checked against what they drew", async () => {
    const id = await inTransaction(t.db, create());
    const drawing = (tx: Tx) => draw(id, 3).execute(tx);
    expect(await meet(t.db, drawing, save(id, { award_total: 2 }))).toMatchObject({
      key: "prize_total_below_drawn",
      values: { drawn: 3 },
    });
    expect(await rowOf(t.db, "prize", { id })).toMatchObject({ award_total: 40, drawn: 3 });
    expect(await selectAudits(t.db, "prize", id)).toHaveLength(1);
  });

  test("is never below what is drawn, with any writer", async () => {
    const id = await inTransaction(t.db, create());
    await draw(id, 40).execute(t.db);
    await expect(draw(id, 1).execute(t.db)).rejects.toMatchObject({ constraint: "prize__stock" });
    const lower = changeRows(t.db, "prize", { id }, { award_total: 39 });
    await expect(lower).rejects.toMatchObject({ constraint: "prize__stock" });
  });

  test("counts both additions of stock made at once", async () => {
    const id = await inTransaction(t.db, create());
    const add = async (n: number) =>
      (await inTransaction(t.db, (tx) => addStock(tx, OPERATOR, id, n))).data.award_total;
    expect((await Promise.all([add(10), add(10)])).toSorted()).toEqual([50, 60]);
    expect(await selectPoolVersions(t.db, await poolId())).toMatchObject([
      { prizes: [{ award_total: 40 }] },
      { prizes: [{ award_total: 50 }] },
      { prizes: [{ award_total: 60 }] },
    ]);
  });
});

describe("a new pool created by two prizes at once", () => {
  test("is one pool with both prizes and a version for each", async () => {
    const id = Number(await meet(t.db, create(), create({ award_name: "手机" })));
    const names = [{ award_name: "8.88元红包" }, { award_name: "手机" }];
    expect(await selectPoolVersions(t.db, await poolId())).toMatchObject([
      { version: 1, prizes: names.slice(0, 1) },
      { version: 2, prizes: names },
    ]);
    expect((await selectAudits(t.db, "prize", id))[0]?.after).not.toHaveProperty("pool_created");
  });

  test("accepts one of two prizes of the same name", async () => {
    expect(await meet(t.db, create(), create())).toMatchObject({ key: "prize_name_taken" });
    expect(await selectPoolVersions(t.db, await poolId())).toHaveLength(1);
  });
});

test("a prize that is deleted before the lock is not found", async () => {
  const id = await inTransaction(t.db, create());
  const remove = (tx: Tx) => deletePrize(tx, OPERATOR, id);
  expect(await meet(t.db, remove, save(id))).toMatchObject({ key: "prize_not_found" });
});

test("a change locks the prizes from the lowest id up, as a draw does", async () => {
  const low = await inTransaction(t.db, create());
  const high = await inTransaction(t.db, create({ award_name: "1元红包" }));
  // This update moves the row with the lower id, so the page and the name index now list the higher id first.
  await draw(low, 1).execute(t.db);
  const draws = await hold(t.db, (tx) => draw(low, 1).execute(tx));
  const saving = inTransaction(t.db, save(high, { award_name: "1.00元红包" }));
  await untilWaiting(t.db);
  const free = sql`select 1 from prize where id = ${high} for update nowait`;
  await expect(free.execute(t.db)).resolves.toMatchObject({ rows: [{}] });
  await draws.commit();
  await saving;
});

test("draws, saves of prizes and saves of rounds never deadlock", async () => {
  const prizes = await Promise.all(
    ["一", "二", "三"].map((award_name) =>
      inTransaction(t.db, create({ award_name, award_total: 1000 })),
    ),
  );
  const form = activityForm({ pool_name });
  const rounds = await inTransaction(
    t.db,
    async (tx) => (await createActivity(tx, OPERATOR, form, ZONE)).data.id,
  );
  const source = await poolId();
  const turns = Array.from({ length: 10 }, (_, turn) => {
    const id = prizes[turn % 3] ?? 0;
    return [
      inTransaction(t.db, async (tx) => {
        await lockDraw(tx, rounds, []);
        await draw(id, 1).execute(tx);
      }),
      inTransaction(t.db, (tx) => addStock(tx, OPERATOR, id, 1)),
      inTransaction(t.db, create({ award_name: `新 ${turn}` })),
      inTransaction(t.db, (tx) => updateActivity(tx, OPERATOR, rounds, form, ZONE)),
      inTransaction(t.db, (tx) => copyPool(tx, OPERATOR, source, `池 ${turn}`)),
    ];
  });
  const ends = await Promise.allSettled(turns.flat());
  const failed = ends.filter((end) => end.status === "rejected").map((end): unknown => end.reason);
  expect(failed.filter((reason) => hasSqlState(reason, "40P01"))).toEqual([]);
  expect(failed).toEqual([]);
  const stocks = await Promise.all(prizes.map((id) => rowOf(t.db, "prize", { id })));
  expect(stocks.reduce((sum, stock) => sum + stock.drawn, 0)).toBe(10);
  expect(stocks.reduce((sum, stock) => sum + stock.award_total, 0)).toBe(3010);
});

test("the sum of a pool's weights stays within the generator's range", async () => {
  const id = await inTransaction(t.db, create());
  // The constraint is dropped so that one prize can weigh as much as 281,474 prizes of the greatest weight.
  await sql`alter table prize drop constraint prize__weight_range`.execute(t.db);
  await changeRows(t.db, "prize", { id }, { weight: WEIGHT_SUM_MAX - 10 });
  const other = { award_name: "手机" };
  const tooMuch = inTransaction(t.db, create({ ...other, weight: 11 }));
  await expect(tooMuch).rejects.toMatchObject({ key: "weight_sum_too_large" });
  const last = await inTransaction(t.db, create({ ...other, weight: 10 }));
  const raised = inTransaction(t.db, save(last, { ...other, weight: 11 }));
  await expect(raised).rejects.toMatchObject({ key: "weight_sum_too_large" });
  expect(await selectAudits(t.db, "prize", last)).toHaveLength(1);
  expect(await selectPoolVersions(t.db, await poolId())).toMatchObject([
    { prizes: [{ id }] },
    { prizes: [{ id }, { id: last, weight: 10 }] },
  ]);
});
