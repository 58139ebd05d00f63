/** Rules of activities and pools that must hold however two transactions meet. */
import { activityRoutes } from "@red/contract/activity";
import { createActivity } from "./create-activity.ts";
import { createPool } from "./create-pool.ts";
import { deleteActivity } from "./delete-activity.ts";
import { deletePool } from "./delete-pool.ts";
import { pauseActivity } from "./pause-activity.ts";
import { renamePool } from "./rename-pool.ts";
import { updateActivity } from "./update-activity.ts";
import { selectIsInWindow } from "./activity-sql.ts";
import { inTransaction } from "#platform/connection";
import { selectPool } from "./pool-sql.ts";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { activityBody, activityForm, OPERATOR, selectAudits, ZONE } from "#test/activity-factory";
import { hold, outcomeOf, untilWaiting } from "#test/races";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";

const t = useTestDb();
const a = useTestApp(t);
const pool_name = "周末池";
let pool_id = 0;

beforeEach(async () => {
  for (const table of ["activity_rule", "activity", "pool_version", "pool"] as const) {
    await t.db.deleteFrom(table).execute();
  }
  pool_id = await inTransaction(t.db, (tx) => createPool(tx, OPERATOR, pool_name));
});

type Changes = Partial<Parameters<typeof activityForm>[0]>;

function create(changes: Changes = {}) {
  const form = activityForm({ pool_name, ...changes });
  return (tx: Parameters<typeof createActivity>[0]) => createActivity(tx, OPERATOR, form, ZONE);
}

describe("a pause", () => {
  test("waits for the draws in flight and is seen by those that come after", async () => {
    const id = await inTransaction(t.db, create());
    const draw = await hold(t.db, async (tx) => {
      await tx.selectFrom("activity").select("id").where("id", "=", id).forShare().execute();
    });
    let isAnswered = false;
    const pause = inTransaction(t.db, (tx) => pauseActivity(tx, OPERATOR, id, 0)).then(() => {
      isAnswered = true;
      return null;
    });
    await untilWaiting(t.db);
    expect(isAnswered).toBe(false);
    await draw.commit();
    await pause;
    const seen = t.db.selectFrom("activity").select("rounds_status").forShare();
    expect(await seen.execute()).toEqual([{ rounds_status: 0 }]);
  });

  test("that meets a resume ends in the later state, each audited with what it found", async () => {
    const id = await inTransaction(t.db, create());
    const first = await hold(t.db, (tx) => pauseActivity(tx, OPERATOR, id, 0));
    const second = inTransaction(t.db, (tx) => pauseActivity(tx, OPERATOR, id, 1));
    await untilWaiting(t.db);
    await first.commit();
    await second;
    expect((await selectAudits(t.db, "activity", id)).slice(1)).toMatchObject([
      { before: { rounds_status: 1 }, after: { rounds_status: 0 } },
      { before: { rounds_status: 0 }, after: { rounds_status: 1 } },
    ]);
  });
});

describe("two saves of one form", () => {
  test("both from version 1: one is kept, the other is stale", async () => {
    const id = await inTransaction(t.db, create());
    const save = async (turnover: number) =>
      await a.call(activityRoutes.update, {
        params: { id },
        body: { ...activityBody({ pool_name, turnover }), version: 1 },
      });
    const answers = await Promise.all([save(4), save(5), save(6), save(7)]);
    const codes = answers.map((answer) => answer.code);
    expect(codes.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
    const kept = [4, 5, 6, 7][answers.findIndex((answer) => answer.code === 200)];
    const row = t.db.selectFrom("activity").select(["version", "turnover"]);
    expect(await row.execute()).toEqual([{ version: 2, turnover: kept }]);
    expect(await selectAudits(t.db, "activity", id)).toHaveLength(2);
  });

  test("without a version both are kept, one after the other", async () => {
    const id = await inTransaction(t.db, create());
    const save = (turnover: number) =>
      inTransaction(t.db, (tx) =>
        updateActivity(tx, OPERATOR, id, activityForm({ pool_name, turnover }), ZONE),
      );
    expect((await Promise.all([save(4), save(5)])).toSorted()).toEqual([2, 3]);
  });

  test("where the first moves it to another pool: the second sees it, not a missing activity", async () => {
    const id = await inTransaction(t.db, create());
    await inTransaction(t.db, (tx) => createPool(tx, OPERATOR, "另一池"));
    const form = activityForm({ pool_name: "另一池" });
    const first = await hold(t.db, (tx) => updateActivity(tx, OPERATOR, id, form, ZONE));
    const second = inTransaction(t.db, (tx) => pauseActivity(tx, OPERATOR, id, 0));
    await untilWaiting(t.db);
    await first.commit();
    await second;
    expect(
      await t.db.selectFrom("activity").select(["version", "rounds_status"]).execute(),
    ).toEqual([{ version: 2, rounds_status: 0 }]);
  });

  test("of an activity that is deleted meanwhile is refused", async () => {
    const id = await inTransaction(t.db, create());
    const removal = await hold(t.db, (tx) => deleteActivity(tx, OPERATOR, id, ZONE));
    const save = outcomeOf(
      inTransaction(t.db, (tx) =>
        updateActivity(tx, OPERATOR, id, activityForm({ pool_name }), ZONE),
      ),
    );
    await untilWaiting(t.db);
    await removal.commit();
    expect(await save).toMatchObject({ key: "activity_not_found" });
  });
});

describe("a pool and an activity that starts to use it", () => {
  const remove = () => outcomeOf(inTransaction(t.db, (tx) => deletePool(tx, OPERATOR, pool_id)));

  test("the activity first: the pool stays", async () => {
    const creation = await hold(t.db, create());
    const removal = remove();
    await untilWaiting(t.db);
    await creation.commit();
    expect(await removal).toMatchObject({ key: "pool_in_use", values: { rounds: 1 } });
    expect(await selectPool(t.db, pool_id)).toMatchObject({ rounds: 1 });
  });

  test("an activity that is moved to it first: the pool stays", async () => {
    await inTransaction(t.db, (tx) => createPool(tx, OPERATOR, "另一池"));
    const id = await inTransaction(t.db, create({ pool_name: "另一池" }));
    const save = await hold(t.db, (tx) =>
      updateActivity(tx, OPERATOR, id, activityForm({ pool_name }), ZONE),
    );
    const removal = remove();
    await untilWaiting(t.db);
    await save.commit();
    expect(await removal).toMatchObject({ key: "pool_in_use", values: { rounds: 1 } });
  });

  test("the removal first: the activity is refused", async () => {
    const removal = await hold(t.db, (tx) => deletePool(tx, OPERATOR, pool_id));
    const creation = outcomeOf(inTransaction(t.db, create()));
    await untilWaiting(t.db);
    await removal.commit();
    expect(await creation).toMatchObject({ key: "pool_not_found" });
    expect(await t.db.selectFrom("activity").select("id").execute()).toEqual([]);
  });

  test("a rename first: the old name is not found any more", async () => {
    const renaming = await hold(t.db, (tx) => renamePool(tx, OPERATOR, pool_id, "新"));
    const creation = outcomeOf(inTransaction(t.db, create()));
    await untilWaiting(t.db);
    await renaming.commit();
    expect(await creation).toMatchObject({ key: "pool_not_found" });
  });
});

describe("a name that two take at once", () => {
  test("of an activity answers 409 to the second", async () => {
    const first = await hold(t.db, create());
    const second = a.call(activityRoutes.create, { body: activityBody({ pool_name }) });
    await untilWaiting(t.db);
    await first.commit();
    expect(await second).toMatchObject({ code: 409, msg: "同一天已有同名活动，请换一个名称" });
    expect(await t.db.selectFrom("activity").select("id").execute()).toEqual([
      { id: first.result },
    ]);
    expect(await t.db.selectFrom("activity_rule").select("version").execute()).toHaveLength(1);
  });

  test("of a pool refuses the second", async () => {
    const first = await hold(t.db, (tx) => createPool(tx, OPERATOR, "新"));
    const second = outcomeOf(inTransaction(t.db, (tx) => renamePool(tx, OPERATOR, pool_id, "新")));
    await untilWaiting(t.db);
    await first.commit();
    expect(await second).toMatchObject({ key: "pool_name_taken" });
  });
});

// On a machine too busy for two queries a second, the last second is over before it is looked at.
test("the window of an activity includes its last second and no more", { retry: 5 }, async () => {
  const id = await inTransaction(t.db, create());
  const ended = async (ago: string) => {
    await t.db
      .updateTable("activity")
      .set({ start_time: sql`now() - interval '1 hour'`, end_time: sql`now() - ${ago}::interval` })
      .execute();
    return await selectIsInWindow(t.db, id);
  };
  expect(await ended("10 milliseconds")).toBe(true);
  expect(await ended("1001 milliseconds")).toBe(false);
});

test("a window that the clocks turn round where they skip an hour is refused", async () => {
  const changes = { start_time: "2026-03-08 02:45:00", end_time: "2026-03-08 03:15:00" };
  const form = activityForm({ pool_name, ...changes });
  const inZone = (zone: string) =>
    outcomeOf(inTransaction(t.db, (tx) => createActivity(tx, OPERATOR, form, zone)));
  expect(await inZone("America/New_York")).toMatchObject({ key: "end_after_start" });
  expect(await inZone(ZONE)).toBeTypeOf("number");
});
