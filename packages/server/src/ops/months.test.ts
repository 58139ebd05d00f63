import { AppError } from "@red/contract/errors";
import { verify } from "#evidence/verify";
import { inTransaction } from "#platform/connection";
import { createActivity, updateActivity } from "#rounds/change-activity";
import { activityForm, OPERATOR, ZONE } from "#test/activity-factory";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { depositOf, feed } from "#test/ingest-factory";
import { configOf, redctl } from "#test/redctl";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const run = async (words: string) => await redctl(() => configOf(t), words);
const DETACH = "months detach 2024-05 --kind deposit";

/** A round that counts a day of the month that is taken out. */
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
  // Over and signed.
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
    inTransaction(t.db, (tx) =>
      id === undefined
        ? createActivity(tx, OPERATOR, reaching(changes), ZONE)
        : updateActivity(tx, OPERATOR, id, reaching(changes), ZONE),
    );
  const error = new AppError("condition_month_detached");
  await expect(save({})).rejects.toEqual(error);
  await save({ condition_name: "1", condition_formula: "3", rounds_name: "of bets" });
  const later = {
    achieve_start_time: "2024-05-31 23:00:00",
    achieve_end_time: "2024-06-02 00:00:00",
  };
  await expect(save(later)).rejects.toEqual(error);
  // Midnight in Shanghai is 16:00 UTC, and months are of UTC.
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
