/** Rules of rounds and pools that two transactions must keep in every order. */
import { activityRoutes } from "@red/contract/rounds/activity";
import {
  createActivity,
  deleteActivity,
  pauseActivity,
  updateActivity,
} from "./change-activity.ts";
import { createPool, deletePool, renamePool } from "#pools/change-pool";
import { selectIsInWindow } from "./activity-sql.ts";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { selectPool } from "#pools/pool-sql";
import { beforeEach, describe, expect, test } from "vitest";
import { activityBody, activityForm, OPERATOR, selectAudits, ZONE } from "#test/activity-factory";
import { hold, meet, outcomeOf, untilWaiting } from "#test/races";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";

const t = useTestDb();
const a = useTestApp(t);
const pool_name = "周末池";
let pool_id = 0;

beforeEach(async () => {
  await clear(t.db, "activity_rule", "activity", "pool_version", "pool");
  pool_id = await inTransaction(t.db, (tx) => createPool(tx, OPERATOR, pool_name));
});

type Changes = Partial<Parameters<typeof activityForm>[0]>;

function create(changes: Changes = {}) {
  const form = activityForm({ pool_name, ...changes });
  return async (tx: Tx) => (await createActivity(tx, OPERATOR, form, ZONE)).data.id;
}

function save(id: number, changes: Changes = {}) {
  const form = activityForm({ pool_name, ...changes });
  return async (tx: Tx) => (await updateActivity(tx, OPERATOR, id, form, ZONE)).data.version;
}

const pause = (id: number, rounds_status: 0 | 1) => (tx: Tx) =>
  pauseActivity(tx, OPERATOR, id, rounds_status);

const removePool = (tx: Tx) => deletePool(tx, OPERATOR, pool_id);

describe("a pause", () => {
  test("waits for the draws in flight and is seen by those that come after", async () => {
    const id = await inTransaction(t.db, create());
    const draw = await hold(t.db, async (tx) => {
      await tx.selectFrom("activity").select("id").where("id", "=", id).forShare().execute();
    });
    let isAnswered = false;
    const pausing = inTransaction(t.db, pause(id, 0)).then(() => {
      isAnswered = true;
      return null;
    });
    await untilWaiting(t.db);
    expect(isAnswered).toBe(false);
    await draw.commit();
    await pausing;
    const seen = t.db.selectFrom("activity").select("rounds_status").forShare();
    expect(await seen.execute()).toEqual([{ rounds_status: 0 }]);
  });

  test("at the same time as a resume: the later one wins, each audited with the state before", async () => {
    const id = await inTransaction(t.db, create());
    await meet(t.db, pause(id, 0), pause(id, 1));
    expect((await selectAudits(t.db, "activity", id)).slice(1)).toMatchObject([
      { before: { rounds_status: 1 }, after: { rounds_status: 0 } },
      { before: { rounds_status: 0 }, after: { rounds_status: 1 } },
    ]);
  });
});

describe("two saves of one form", () => {
  test("both from version 1: one is saved, the other is stale", async () => {
    const id = await inTransaction(t.db, create());
    const send = async (turnover: number) =>
      await a.call(activityRoutes.update, {
        params: { id },
        body: { ...activityBody({ pool_name, turnover }), version: 1 },
      });
    const answers = await Promise.all([send(4), send(5), send(6), send(7)]);
    const codes = answers.map((answer) => answer.code);
    expect(codes.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
    const kept = [4, 5, 6, 7][answers.findIndex((answer) => answer.code === 200)];
    const row = t.db.selectFrom("activity").select(["version", "turnover"]);
    expect(await row.execute()).toEqual([{ version: 2, turnover: kept }]);
    expect(await selectAudits(t.db, "activity", id)).toHaveLength(2);
  });

  test("without a version both are saved, one after the other", async () => {
    const id = await inTransaction(t.db, create());
    const saves = [4, 5].map((turnover) => inTransaction(t.db, save(id, { turnover })));
    expect(new Set(await Promise.all(saves))).toEqual(new Set([2, 3]));
  });

  test("where the first moves it to another pool: the second sees it, not a missing activity", async () => {
    const id = await inTransaction(t.db, create());
    await inTransaction(t.db, (tx) => createPool(tx, OPERATOR, "另一池"));
    await meet(t.db, save(id, { pool_name: "另一池" }), pause(id, 0));
    expect(
      await t.db.selectFrom("activity").select(["version", "rounds_status"]).execute(),
    ).toEqual([{ version: 2, rounds_status: 0 }]);
  });

  test("of an activity that was deleted first is refused", async () => {
    const id = await inTransaction(t.db, create());
    const remove = (tx: Tx) => deleteActivity(tx, OPERATOR, id, ZONE);
    expect(await meet(t.db, remove, save(id))).toMatchObject({ key: "activity_not_found" });
  });
});

describe("a pool and an activity that starts to use it", () => {
  const inUse = { key: "pool_in_use", values: { rounds: 1 } };

  test("the activity first: the pool stays", async () => {
    expect(await meet(t.db, create(), removePool)).toMatchObject(inUse);
    expect(await selectPool(t.db, pool_id)).toMatchObject({ rounds: 1 });
  });

  test("an activity that is moved to it first: the pool stays", async () => {
    await inTransaction(t.db, (tx) => createPool(tx, OPERATOR, "另一池"));
    const id = await inTransaction(t.db, create({ pool_name: "另一池" }));
    expect(await meet(t.db, save(id), removePool)).toMatchObject(inUse);
  });

  test("the removal first: the activity is refused", async () => {
    expect(await meet(t.db, removePool, create())).toMatchObject({ key: "pool_not_found" });
    expect(await t.db.selectFrom("activity").select("id").execute()).toEqual([]);
  });

  test("a rename first: the old name is not found", async () => {
    const rename = (tx: Tx) => renamePool(tx, OPERATOR, pool_id, "新");
    expect(await meet(t.db, rename, create())).toMatchObject({ key: "pool_not_found" });
  });
});

describe("a name taken twice at once", () => {
  test("by activities is refused to the second", async () => {
    expect(await meet(t.db, create(), create())).toMatchObject({ key: "activity_name_taken" });
    expect(await t.db.selectFrom("activity").select("id").execute()).toHaveLength(1);
    expect(await t.db.selectFrom("activity_rule").select("version").execute()).toHaveLength(1);
  });

  test("by pools is refused to the second", async () => {
    const add = (tx: Tx) => createPool(tx, OPERATOR, "新");
    const rename = (tx: Tx) => renamePool(tx, OPERATOR, pool_id, "新");
    expect(await meet(t.db, add, rename)).toMatchObject({ key: "pool_name_taken" });
  });
});

// If the machine is too busy for two queries per second, the test may miss the last second.
test("the window of an activity includes its last second and no more", { retry: 5 }, async () => {
  const id = await inTransaction(t.db, create());
  const ended = async (ago: string) => {
    await t.sql`update activity
      set start_time = now() - interval '1 hour', end_time = now() - ${ago}::interval`;
    return await selectIsInWindow(t.db, id);
  };
  expect(await ended("10 milliseconds")).toBe(true);
  expect(await ended("1001 milliseconds")).toBe(false);
});

test("a window that ends before its start because clocks skip an hour is refused", async () => {
  const changes = { start_time: "2026-03-08 02:45:00", end_time: "2026-03-08 03:15:00" };
  const form = activityForm({ pool_name, ...changes });
  const inZone = (zone: string) =>
    outcomeOf(inTransaction(t.db, (tx) => createActivity(tx, OPERATOR, form, zone)));
  expect(await inZone("America/New_York")).toMatchObject({ key: "end_after_start" });
  expect(await inZone(ZONE)).toMatchObject({ data: { id: expect.any(Number) } });
});
