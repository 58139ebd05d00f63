import { offencesAfter, oneRow } from "#test/falsified";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import type { Rounds } from "#test/healthy-promotion";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

const VERSIONS = "versions of pools and rules (§3)";

const t = useTestDb();
let rounds: Rounds;

beforeAll(async () => {
  rounds = await makeHealthyPromotion(t.db);
});

describe("pool versions", () => {
  test("that are missing are found", async () => {
    const found = await offencesAfter(
      t.db,
      "delete from pool_version where pool_id = 1 and version = 2",
    );
    expect(found[VERSIONS]).toEqual({
      table: "pool_version",
      ids: { pool_id: 1, version: 2 },
      expected: {},
      found: null,
    });
  });

  test("ahead of the pool are found", async () => {
    const found = await offencesAfter(t.db, "insert into pool_version values (2, 99, '[]')");
    expect(found).toEqual({
      [VERSIONS]: {
        table: "pool_version",
        ids: { pool_id: 2, version: 99 },
        expected: null,
        found: {},
      },
    });
  });

  test.each([
    ["weight = weight + 1", "weight"],
    ["award_name = 'renamed'", "award_name"],
    ["award_price_cents = 151", "award_price_cents"],
    ["award_total = award_total + 1", "award_total"],
    ["floors = not floors", "floors"],
  ])("that do not know of %s are found", async (change, column) => {
    const { id, pool_id, version } = await oneRow(
      t.db,
      `select z.id, z.pool_id, p.version from prize z join pool p on p.id = z.pool_id
       where z.award_name = 'sound'`,
    );
    const found = await offencesAfter(t.db, `update prize set ${change} where id = ${id}`);
    expect(Object.keys(found)).toEqual([VERSIONS]);
    expect(found[VERSIONS]).toMatchObject({
      table: "pool_version",
      ids: { pool_id, version, prize_id: String(id) },
    });
    expect(Object.keys(found[VERSIONS]?.expected ?? {})).toEqual([column]);
  });

  test("that hold a deleted prize, or lack a live one, are found", async () => {
    const { id } = await oneRow(t.db, "select id from prize where award_name = 'thing'");
    const deleted = await offencesAfter(
      t.db,
      `update prize set deleted_at = now() where id = ${id}`,
    );
    expect(deleted[VERSIONS]).toMatchObject({ ids: { prize_id: String(id) }, expected: null });
    const added = await offencesAfter(
      t.db,
      `insert into prize (pool_id, award_name, award_price_cents, weight, award_total, floors)
       select pool_id, 'smuggled', 1, 1, 1, false from prize where id = ${id}`,
    );
    expect(added[VERSIONS]).toMatchObject({ expected: { award_name: "smuggled" }, found: null });
  });

  test("that hold no list at all are found", async () => {
    const found = await offencesAfter(
      t.db,
      "update pool_version v set prizes = '7' from pool p where p.id = v.pool_id and p.version = v.version",
    );
    expect(found[VERSIONS]).toMatchObject({ table: "pool_version", found: null });
  });
});

describe("rule versions", () => {
  test("that are missing are found", async () => {
    const found = await offencesAfter(
      t.db,
      `delete from activity_rule where rounds_id = ${rounds.cumulative} and version = 1`,
    );
    expect(found[VERSIONS]).toEqual({
      table: "activity_rule",
      ids: { rounds_id: rounds.cumulative, version: 1 },
      expected: {},
      found: null,
    });
  });

  test.each([
    ["turnover = 9", { turnover: 9 }, { turnover: 2 }],
    ["tag = 'weekend'", { tag: "weekend" }, { tag: "dragon" }],
    [
      "end_time = '2095-01-01'",
      { end_time: "2095-01-01T00:00:00.000Z" },
      { end_time: "2095-12-31T16:00:00.000Z" },
    ],
  ])("that differ from the activity by %s are found", async (change, expected, wrong) => {
    const found = await offencesAfter(
      t.db,
      `update activity set ${change} where id = ${rounds.single}`,
    );
    expect(found).toEqual({
      [VERSIONS]: {
        table: "activity_rule",
        ids: { rounds_id: rounds.single, version: 1 },
        expected,
        found: wrong,
      },
    });
  });

  test("mean the same instants in whatever zone they were saved", async () => {
    const moved = await sql<{ rule: { start_time: string } }>`
      select rule from activity_rule where rounds_id = ${rounds.open}`.execute(t.db);
    const [row] = moved.rows;
    const start = new Date(row?.rule.start_time ?? "").getTime();
    const shifted = new Date(start + 5.5 * 3_600_000).toISOString().replace(".000Z", "+05:30");
    const found = await offencesAfter(
      t.db,
      `update activity_rule set rule = rule || '{"start_time": "${shifted}"}'
       where rounds_id = ${rounds.open}`,
    );
    expect(found).toEqual({});
  });

  test("that are no rule are found", async () => {
    const found = await offencesAfter(
      t.db,
      `update activity_rule set rule = '[]' where rounds_id = ${rounds.open}`,
    );
    expect(found[VERSIONS]).toMatchObject({
      table: "activity_rule",
      ids: { rounds_id: rounds.open, version: 1 },
    });
  });
});
