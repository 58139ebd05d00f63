import { JOB_DAYS } from "@red/contract/job";
import { makeOperator } from "#test/factories";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";
import { deleteOldJobs } from "./job-sql.ts";

const t = useTestDb();

test("a job goes thirty days after its end, not a second before, and never while it is open", async () => {
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
