/** Calls about activities in two pools; each test starts with an empty list. */
import { activityRoutes } from "@red/contract/rounds/activity";
import { poolRoutes } from "@red/contract/pools/pool";
import { activityBody } from "#test/activity-factory";
import type { TestApp } from "#test/test-app";
import type { TestDb } from "#test/test-db";
import { beforeAll, beforeEach, expect } from "vitest";

const POOL = "周末池";
export const OTHER_POOL = "平日池";

export type Changes = Partial<Parameters<typeof activityBody>[0]>;

export function bodyInPool(changes: Changes = {}) {
  return activityBody({ pool_name: POOL, ...changes });
}

interface ActivityCalls {
  readonly added: (changes?: Changes) => Promise<number>;
  readonly detail: (id: number) => Promise<unknown>;
  /** Names on one page, in order, and the total. */
  readonly listed: (
    query: Record<string, string | number>,
  ) => Promise<{ names: string[]; total: number }>;
}

export function useActivityCalls(t: TestDb, a: TestApp): ActivityCalls {
  beforeAll(async () => {
    for (const pool_name of [POOL, OTHER_POOL]) {
      await a.call(poolRoutes.create, { body: { pool_name } });
    }
  });
  beforeEach(async () => {
    await t.db.deleteFrom("activity_rule").execute();
    await t.db.deleteFrom("activity").execute();
  });
  return {
    async added(changes = {}) {
      const answer = await a.call(activityRoutes.create, { body: bodyInPool(changes) });
      const rows = await t.db.selectFrom("activity").select("id").orderBy("id", "desc").execute();
      const id = rows[0]?.id ?? 0;
      expect(answer).toEqual({ code: 200, msg: "添加成功", data: { id } });
      return id;
    },
    async detail(id) {
      return (await a.call(activityRoutes.detail, { params: { id } })).data;
    },
    async listed(query) {
      const { content, total } = await a.read(activityRoutes.list, { query });
      return { names: content.map((row) => row.rounds_name), total };
    },
  };
}
