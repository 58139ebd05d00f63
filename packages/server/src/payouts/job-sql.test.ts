import { JOB_DAYS } from "@red/contract/records/job";
import { inTransaction } from "#platform/db/connection";
import { makeOperator, makePlayer, makeRecords, makeRound } from "#test/factories";
import { setPayout } from "#test/payout-factory";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";
import {
  deleteOldJobs,
  newest,
  noteOutcomes,
  selectFailed,
  selectJobRows,
  selectJobs,
  startJob,
  untilKnown,
} from "./job-sql.ts";

const t = useTestDb();

test("a job is deleted thirty days after its end, not a second before, and never while it is open", async () => {
  const operator_id = await makeOperator(t.db, "root-op");
  const days = JOB_DAYS * 86_400;
  for (const ago of [days + 1, days - 60, null]) {
    await t.sql`insert into job (operator_id, kind, started_at, ended_at)
      values (${operator_id}, 'ask', '2024-01-01', now() - make_interval(secs => ${ago}::int))`;
  }
  expect(await deleteOldJobs(t.db, new AbortController().signal)).toEqual({ jobs: 1 });
  expect(await t.sql`select ended_at is null as is_open from job order by id`).toEqual([
    { is_open: false },
    { is_open: true },
  ]);
});

test("a job shows the first outcomes of its payouts, and what a retry would take", async () => {
  const [me, other] = [await makeOperator(t.db, "me"), await makeOperator(t.db, "other")];
  const STATES = ["queued", "sending", "unknown", "paid", "refused", "check", "closed"] as const;
  const player = await makePlayer(t.db);
  const made = await makeRecords(
    t.db,
    await makeRound(t.db),
    player,
    STATES.map((state) => ({ state })),
  );
  const ids = made.map(({ log_id }) => log_id);
  const [queued = 0, , , paid = 0, refused = 0, check = 0, closed = 0] = ids;
  const start = (kind: "reissue" | "ask", by: number, ...of: readonly number[]) =>
    inTransaction(t.db, (tx) => startJob(tx, kind, by, of));
  const told = async (id: number, by = me) => {
    const [job] = await selectJobs(t.db, by, { page: 1, size: 1, id });
    const sums = job?.sums.map((sum) => [sum.outcome, sum.reason, sum.count, sum.failed].join("/"));
    return [sums?.[0], sums?.toSorted()];
  };
  const reissue = await start("reissue", me, ...ids);
  const others = ["check//1/0", "closed//1/0", "paid//1/0"];
  const open = ["under_way//2/0", "unknown//1/0"];
  const frozen = "refused/account frozen/1";
  expect(await told(reissue)).toEqual([open[0], [...others, `${frozen}/1`, ...open]]);
  const ask = await start("ask", me, check, refused, paid);
  expect((await told(ask))[1]).toEqual(["check//1/1", "paid//1/0", `${frozen}/0`]);
  const failed = () => Promise.all([reissue, ask].map((id) => selectFailed(t.db, id)));
  expect(await failed()).toEqual([[refused], [check]]);

  // The first job keeps the old outcome of payouts that the second job has included.
  for (const one of made.filter(({ log_id }) => log_id === refused || log_id === check)) {
    await setPayout(t.db, one, { state: "queued", fail_reason: null, check_reason: null });
  }
  expect(await told(reissue)).toEqual([open[0], [...others, `${frozen}/0`, ...open]]);
  expect((await told(ask))[1]).toEqual(["paid//1/0", "under_way//2/0"]);
  expect(await failed()).toEqual([[], []]);

  const rows = async (page: number, outcome?: "under_way") => {
    const { rows: some, total } = await selectJobRows(t.db, reissue, { outcome, page, size: 3 });
    return [some.map(({ log_id }) => log_id), total];
  };
  expect([await rows(1), await rows(3)]).toEqual([
    [[closed, check, refused], 7],
    [[queued], 7],
  ]);
  expect(await rows(1, "under_way")).toEqual([ids.slice(0, 2).toReversed(), 2]);
  const [, , third] = (await selectJobRows(t.db, reissue, { page: 1, size: 3 })).rows;
  const { trans_sn } = made[4] ?? {};
  const prize = {
    user_name: player.user_name,
    award_name: "8.88 red packet",
    cents: 888,
    trans_sn,
  };
  const outcome = { log_id: refused, outcome: "refused", reason: "account frozen" };
  expect(third).toEqual({ ...prize, ...outcome });

  // A job ends when its payouts are settled, and an export ends when its process is dead.
  const settled = await start("reissue", other, paid, closed);
  await t.sql`insert into job (operator_id, kind, path, query, file_name, lease_until)
    select ${other}, 'export', '/x', '{}', 'x', now() + make_interval(secs => s) from unnest('{-1, 60}'::int[]) s`;
  await inTransaction(t.db, noteOutcomes);
  const mine = await newest(t.db, me);
  expect([mine.rows.map(({ id }) => id), mine.total, mine.unseen]).toEqual([[ask, reissue], 2, 0]);
  expect(mine.rows.map(({ ended_at }) => ended_at)).toEqual([null, null]);
  const theirs = await newest(t.db, other, { page: 1, size: 2 });
  expect([theirs.total, theirs.unseen]).toEqual([3, 2]);
  const ends = theirs.rows.map(({ fault, file_name, ended_at }) => [fault, file_name, !!ended_at]);
  expect(ends).toEqual([
    [null, "x", false],
    ["job_cut_off", null, true],
  ]);
  const [last] = await selectJobs(t.db, other, { page: 2, size: 2 });
  expect(last).toMatchObject({ id: settled, ended_at: expect.any(Date), fault: null });
  await inTransaction(t.db, noteOutcomes);
  expect((await selectJobs(t.db, other, { page: 2, size: 2 }))[0]).toEqual(last);
  expect(await selectJobs(t.db, me, { page: 1, size: 9, id: settled })).toEqual([]);
});

test("a file is begun once its database has the job, and not after an abort", async () => {
  const operator_id = await makeOperator(t.db, "waiting");
  const id = 70_000_000;
  let isKnown = false;
  const known = untilKnown(t.db, id, new AbortController().signal).then(() => (isKnown = true));
  await expect(untilKnown(t.db, id, AbortSignal.timeout(300))).rejects.toThrow("aborted");
  expect(isKnown).toBe(false);
  await t.sql`insert into job (id, operator_id, kind) overriding system value values (${id}, ${operator_id}, 'ask')`;
  expect(await known).toBe(true);
});
