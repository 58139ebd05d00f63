import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@red/contract/platform/errors";
import { verify } from "#evidence/verify";
import { inTransaction } from "#platform/db/connection";
import { detachMonth } from "#events/detach-month";
import { createActivity, updateActivity } from "#rounds/change-activity";
import { activityForm, OPERATOR, ZONE } from "#test/activity-factory";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { depositOf, feed } from "#test/ingest-factory";
import { hold, untilWaiting } from "#test/races";
import { configOf, redctl } from "#test/redctl";
import { changeRows } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";

const t = useTestDb();
const run = async (words: string) => await redctl(() => configOf(t), words);
const DETACH = "months detach 2024-05 --kind deposit";

/** A round whose condition counts a day of the detached month. */
const reaching = (changes: Partial<Parameters<typeof activityForm>[0]>) => {
  const achieve = {
    achieve_start_time: "2024-05-10 00:00:00",
    achieve_end_time: "2024-05-10 23:59:59",
  };
  return activityForm({ pool_name: "without", ...achieve, ...changes });
};

test("a month goes only once its rounds are over and signed, and verify says what it cannot check", async () => {
  const rounds = await makeHealthyPromotion(t.db);
  const kept = depositOf("p1");
  await feed(t.db, "deposits", [kept]);
  const early = await run(DETACH);
  expect({ code: early.code, out: early.out }).toMatchObject({
    code: 1,
    out: expect.stringMatching(/not detached: \d+ round.*\n {2}\d+ {2}cumulative/) as string,
  });
  // The rounds are over and signed.
  await t.sql`update activity set end_time = now() - interval '1 s'`;
  await t.sql`update activity_rule v set rule = jsonb_set(rule, '{end_time}', to_jsonb(a.end_time))
    from activity a where a.id = v.rounds_id`;
  await t.sql`insert into sheet_sign_off (rounds_id, no, signed_by, hash, figures)
    select id, 1, 'op', 'h', '{}' from activity`;
  expect((await run(DETACH)).out).toContain("detached.deposit_202405");
  expect((await run("months list")).out).toMatch(
    /bet +2024-05 +in use[^]*deposit +2024-05 +detached/,
  );
  const { checks } = await verify(t.db);
  expect(checks.filter(({ offence }) => offence !== null)).toEqual([]);
  expect(checks.flatMap(({ unchecked }) => unchecked)).not.toEqual([]);
  expect((await run("verify")).out).toMatch(/ok .*chances .*; not checked, detached: rounds \d/);

  const { order_no, created_at } = kept;
  const refused = {
    rejected: [{ code: "created_at", message: expect.stringContaining("taken out") as string }],
  };
  expect(await feed(t.db, "deposits", [depositOf("p1")])).toMatchObject(refused);
  expect(await feed(t.db, "reversals", [{ order_no, created_at }])).toMatchObject(refused);
  const attach = t.sql`select ensure_month('deposit', '2024-05-01')`;
  await expect(attach).rejects.toThrow("detached");

  const save = (changes: Parameters<typeof reaching>[0], id?: number) =>
    inTransaction(t.db, async (tx) => {
      const form = reaching(changes);
      await (id !== undefined && updateActivity(tx, OPERATOR, id, form, ZONE));
      return id ?? (await createActivity(tx, OPERATOR, form, ZONE)).data.id;
    });
  const error = new AppError("condition_month_detached");
  await expect(save({})).rejects.toEqual(error);
  await save({ condition_name: "1", condition_formula: "3", rounds_name: "of bets" });
  const later = {
    achieve_start_time: "2024-05-31 23:00:00",
    achieve_end_time: "2024-06-02 00:00:00",
  };
  await expect(save(later)).rejects.toEqual(error);
  // Midnight in Shanghai is 16:00 UTC, and months are counted in UTC.
  const id = await save({ ...later, achieve_start_time: "2024-06-01 08:00:00" });
  await expect(save({}, id)).rejects.toEqual(error);
  await save({ rounds_name: "renamed", pool_name: "with a guarantee" }, rounds.cumulative);

  const rows = await t.sql`
    select object_type, object_id from audit_log where action = 'detach_month'`;
  expect(rows).toEqual([{ object_type: "deposit", object_id: "2024-05" }]);
});

test("the present month and one that is not there are refused", async () => {
  const month = new Date().toISOString().slice(0, 7);
  await t.sql`select ensure_month('bet', ${`${month}-01`}::date)`;
  expect((await run(`months detach ${month} --kind bet`)).err).toContain("not over yet");
  expect((await run("months detach 2021-01 --kind bet")).err).toContain("is not there");
});

test("a month waits for who reads its table", async () => {
  await t.sql`select ensure_month('bet', '2022-03-01')`;
  const held = await hold(t.db, (tx) => sql`lock table bet in access share mode`.execute(tx));
  const detaching = run("months detach 2022-03 --kind bet");
  await untilWaiting(t.db);
  // By then the first try has ended.
  await sleep(3_000);
  await held.commit();
  expect((await detaching).out).toContain("detached.bet_202203");
});

test("rounds forbid it that reach into the month, by an older rule or deleted after draws too, until they are signed and over", async () => {
  await t.sql`select ensure_month('bet', '2021-05-01')`;
  const may = {
    achieve_start_time: new Date("2021-05-10"),
    achieve_end_time: new Date("2021-05-11"),
  };
  await makeRound(t.db, { ...may, deleted_at: new Date() });
  const end_time = new Date(Date.now() + 60_000);
  const round = await makeRound(t.db, { ...may, end_time, rounds_name: "in May" });
  const { rounds_id: id } = round;
  const forbidding = () => detachMonth(t.db, OPERATOR, "bet", "2021-05-01");
  const blocking = [{ id, rounds_name: "in May" }];
  expect(await forbidding()).toEqual(blocking);
  const windows = [
    ["2021-04-01T00:00:00Z", "2021-05-01T00:00:00Z"],
    ["2021-05-31T23:59:59Z", "2021-06-02T00:00:00Z"],
  ] as const;
  for (const [from, to] of windows) {
    const window = { achieve_start_time: new Date(from), achieve_end_time: new Date(to) };
    await changeRows(t.db, "activity", { id }, window);
    expect(await forbidding()).toEqual(blocking);
  }
  await t.sql`insert into activity_rule (rounds_id, version, rule)
    select id, 1, to_jsonb(a) from activity a where id = ${id}`;
  const june = {
    achieve_start_time: new Date("2021-06-01"),
    achieve_end_time: new Date("2021-06-02"),
  };
  await changeRows(t.db, "activity", { id }, june);
  expect(await forbidding()).toEqual(blocking);
  await makeRecords(t.db, round, await makePlayer(t.db), [{}]);
  await changeRows(t.db, "activity", { id }, { deleted_at: new Date() });
  expect(await forbidding()).toEqual(blocking);
  await t.sql`insert into sheet_sign_off (rounds_id, no, signed_by, hash, figures)
    values (${id}, 1, 'op', 'h', '{}')`;
  await changeRows(t.db, "activity", { id }, { deleted_at: null });
  expect(await forbidding()).toEqual(blocking);
  await changeRows(t.db, "activity", { id }, { end_time: new Date(Date.now() - 1_000) });
  // One round ends before the month, the other starts after it.
  const april = {
    achieve_start_time: new Date("2021-04-01"),
    achieve_end_time: new Date("2021-04-30T23:59:59Z"),
  };
  await makeRound(t.db, april);
  await makeRound(t.db, june);
  expect(await forbidding()).toEqual([]);
});
