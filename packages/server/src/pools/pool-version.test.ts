/** The versions of a pool can be listed and restored (behaviour §3). */
import { poolRoutes } from "@red/contract/pools/pool";
import type { PoolVersion } from "@red/contract/pools/pool";
import { sql } from "kysely";
import { auditsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const pool_name = "池";
const row = (award_name: string, weight = 1) =>
  ({ award_name, award_price: "1", weight, award_total: 500, floors: 0 }) as const;

test("a former version comes back: deleted prizes too, later ones go, what is drawn stays", async () => {
  const body = { pool_name, is_new: true, rows: [row("一"), row("二")] };
  const made = await a.call(poolRoutes.save, { body });
  const { id } = made.data as { id: number };
  const prizes = () => t.db.selectFrom("prize").selectAll().orderBy("id").execute();
  const [one = 0, two = 0] = (await prizes()).map((prize) => prize.id);
  const changed = { ...row("一", 2), award_total: 600, id: one, version: 1 };
  const removed = [{ id: two, version: 1 }];
  await a.call(poolRoutes.save, { body: { pool_name, rows: [changed, row("三")], removed } });
  await sql`update prize set drawn = 600 where id = ${one}`.execute(t.db);
  const back = (version: number, current: number) =>
    a.call(poolRoutes.restore, { params: { id }, body: { version, current } });
  expect(await back(1, 1)).toMatchObject({ key: "stale_version" });
  expect(await back(9, 2)).toMatchObject({ key: "pool_version_not_found" });
  expect(await back(1, 2)).toMatchObject({ code: 200, data: { version: 3 } });
  // The audit row contains all values of a prize that the restore adds or removes.
  const whole = (name: string, id?: number) => ({
    ...row(name),
    award_price: "1.00",
    ...(id && { id }),
  });
  expect(await auditsOf(t.db, ["before", "after"], { action: "restore_pool" })).toMatchObject([
    {
      before: { prizes: [{ id: one, weight: 2 }, whole("三")] },
      after: { prizes: [{ id: one, weight: 1 }, whole("二", two)] },
    },
  ]);
  const values = { award_total: 600, drawn: 600, weight: 1 };
  expect(await prizes()).toMatchObject([
    { ...values, deleted_at: null },
    { award_name: "二", deleted_at: null },
    { award_name: "三", deleted_at: expect.any(Date) },
  ]);
  const { data } = await a.call(poolRoutes.versions, { params: { id }, query: { size: 2 } });
  const listed = data as { content: PoolVersion[]; total: number };
  expect(listed.total).toBe(3);
  expect(listed.content).toMatchObject([
    { version: 3, saved_by: "root-op", prizes: [{ id: one, award_total: 600 }, { id: two }] },
    { version: 2, prizes: [{ award_name: "一" }, { award_name: "三" }] },
  ]);
  expect(listed.content[1]?.changes).toEqual([
    { change: "changed", award_name: "一", fields: ["weight", "award_total"] },
    { change: "added", award_name: "三", fields: [] },
    { change: "removed", award_name: "二", fields: [] },
  ]);
});
