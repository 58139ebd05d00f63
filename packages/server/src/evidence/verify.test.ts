import { verify } from "./verify.ts";
import type { Db } from "#platform/connection";
import { inSnapshot } from "#platform/snapshot";
import { offencesAfter, oneRow } from "#test/falsified";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import type { Rounds } from "#test/healthy-promotion";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

const REFERENCES = "what records refer to (§3)";
const NUMBERS = "double numbers (§3, §5)";
const STOCK = "stock against records (§5)";
const DRAWS = "draws derived again (§5)";
const REQUESTS = "requests against records (§5)";

const t = useTestDb();
let rounds: Rounds;

beforeAll(async () => {
  rounds = await makeHealthyPromotion(t.db);
});

/** The first record that meets the condition. */
async function someRecord(condition = "draw_no = 2") {
  return await oneRow(
    t.db,
    `select id, rounds_id, player_key, draw_no, prize_id, pool_id, ticket, award_price_cents
     from draw_record where ${condition} order by id limit 1`,
  );
}

describe("a database that was only ever used", () => {
  test("contradicts nothing, and every check has looked at rows", async () => {
    const told: string[] = [];
    const { ok, checks } = await verify(t.db, (check) => told.push(check.name));
    expect(checks.map((check) => check.offence)).toEqual(checks.map(() => null));
    expect(ok).toBe(true);
    expect(told).toEqual(checks.map((check) => check.name));
    expect(checks.filter((check) => check.checked === 0)).toEqual([]);
    // The scenario has what the checks are about.
    const { fallbacks, exhausted, rule_versions, states } = await oneRow(
      t.db,
      `select count(fallback_ticket) as fallbacks, sum(cardinality(exhausted)) as exhausted,
        count(distinct rule_version) as rule_versions,
        (select count(distinct state) from payout) as states from draw_record`,
    );
    expect(Math.min(Number(fallbacks), Number(exhausted))).toBeGreaterThan(0);
    expect({ rule_versions, states }).toEqual({ rule_versions: 2, states: 7 });
  });

  test("is read as it was at one moment, whatever is written meanwhile", async () => {
    const spoil = async () => {
      await sql`update prize set drawn = 0`.execute(t.db);
    };
    const writes: Promise<void>[] = [];
    const during = await verify(t.db, () => {
      writes.push(spoil());
    });
    await Promise.all(writes);
    expect(during.ok).toBe(true);
    const after = await verify(t.db);
    expect(after.ok).toBe(false);
    expect(after.checks.filter((one) => one.offence !== null).map((one) => one.name)).toEqual([
      STOCK,
    ]);
    await sql`
      update prize z set drawn = (select count(*) from draw_record r where r.prize_id = z.id)`.execute(
      t.db,
    );
  });

  test("cannot be written through what verifies it", async () => {
    const write = (db: Db) => sql`update prize set drawn = 0`.execute(db);
    await expect(inSnapshot(t.db, write)).rejects.toMatchObject({ code: "25006" });
  });
});

describe("stock", () => {
  test.each([-1, 1])("that is counted wrong by %i is found", async (by) => {
    const { id, drawn } = await oneRow(
      t.db,
      "select id, drawn from prize where award_name = 'thing'",
    );
    const wrong = Number(drawn) + by;
    expect(await offencesAfter(t.db, `update prize set drawn = ${wrong} where id = ${id}`)).toEqual(
      {
        [STOCK]: { table: "prize", ids: { id }, expected: { drawn }, found: { drawn: wrong } },
      },
    );
  });

  test("drawn above its total is found", async () => {
    const { id, drawn, pool_id } = await oneRow(
      t.db,
      "select id, drawn, pool_id from prize where award_name = 'thing'",
    );
    const total = Number(drawn) - 1;
    const found = await offencesAfter(
      t.db,
      "alter table prize drop constraint prize__stock",
      `update prize set award_total = ${total} where id = ${id}`,
      `update pool_version set prizes = (select jsonb_agg(case when e -> 'id' = '${id}'
         then e || '{"award_total": ${total}}' else e end) from jsonb_array_elements(prizes) e)
       where pool_id = ${pool_id} and version = (select version from pool where id = ${pool_id})`,
    );
    expect(found).toEqual({
      [STOCK]: {
        table: "prize",
        ids: { id },
        expected: { drawn: `at most ${total}` },
        found: { drawn },
      },
    });
  });

  test("drawn above the total that a pool version had is found", async () => {
    const { prize_id, pool_id, pool_version, id, drawn } = await oneRow(
      t.db,
      `select r.prize_id, r.pool_id, r.pool_version, min(r.id) as id, count(*) as drawn
       from draw_record r join prize z on z.id = r.prize_id
       where z.award_name = 'scarce' group by 1, 2, 3 order by pool_version limit 1`,
    );
    const total = Number(drawn) - 1;
    const found = await offencesAfter(
      t.db,
      `update pool_version set prizes = (select jsonb_agg(case when e -> 'id' = '${prize_id}'
         then e || '{"award_total": ${total}}' else e end) from jsonb_array_elements(prizes) e)
       where pool_id = ${pool_id} and version = ${pool_version}`,
    );
    expect(found).toEqual({
      [STOCK]: {
        table: "draw_record",
        ids: { id, prize_id, pool_id, pool_version },
        expected: { drawn: `at most ${total}` },
        found: { drawn },
      },
    });
  });

  test("said to be exhausted while there was some is found", async () => {
    const { id, prize_id, pool_id, pool_version, drawn } = await oneRow(
      t.db,
      `select id, pool_id, pool_version, z.prize_id, (
         select count(*) from draw_record x
         where x.prize_id = z.prize_id and x.pool_version <= r.pool_version) as drawn
       from draw_record r,
         lateral (select id as prize_id from prize where award_name = 'thing') z
       where rounds_id = ${rounds.cumulative} and r.prize_id <> z.prize_id order by id limit 1`,
    );
    const found = await offencesAfter(
      t.db,
      `update draw_record set exhausted = exhausted || ${prize_id} where id = ${id}`,
    );
    expect(found[STOCK]).toEqual({
      table: "draw_record",
      ids: { id, prize_id, pool_id, pool_version },
      expected: { drawn: 100 },
      found: { drawn },
    });
  });
});

describe("draws", () => {
  test.each(["award_price_cents", "turnover"])("with another %s are found", async (column) => {
    const { id, rounds_id } = await someRecord();
    const { value } = await oneRow(
      t.db,
      `select ${column} as value from draw_record where id = ${id}`,
    );
    const found = await offencesAfter(
      t.db,
      `update draw_record set ${column} = ${column} + 1 where id = ${id}`,
    );
    expect(found[DRAWS]).toEqual({
      table: "draw_record",
      ids: { id, rounds_id },
      expected: { [column]: value },
      found: { [column]: Number(value) + 1 },
    });
  });

  test("of another prize than the ticket's are found", async () => {
    // Ticket 800 and above is the thing's, of which there is plenty; 799 is the sound prize's.
    const { id, rounds_id, prize_id } = await someRecord(
      "pool_id = 1 and pool_version = 3 and ticket >= 800",
    );
    const { sound } = await oneRow(
      t.db,
      "select id as sound from prize where award_name = 'sound'",
    );
    const found = await offencesAfter(t.db, `update draw_record set ticket = 799 where id = ${id}`);
    expect(found).toEqual({
      [DRAWS]: {
        table: "draw_record",
        ids: { id, rounds_id },
        expected: { prize_id: sound },
        found: { prize_id },
      },
    });
  });

  test.each([
    ["a ticket beyond the weights", "ticket = 1000000"],
    ["a fallback ticket that was not needed", "fallback_ticket = 0"],
    ["an exhausted prize of another pool", "exhausted = exhausted || 999"],
    ["a pool version that is not there", "pool_version = 99"],
  ])("with %s lead to no prize", async (_what, change) => {
    const { id, rounds_id, prize_id } = await someRecord("fallback_ticket is null");
    const found = await offencesAfter(t.db, `update draw_record set ${change} where id = ${id}`);
    expect(found[DRAWS]).toMatchObject({
      table: "draw_record",
      ids: { id, rounds_id },
      expected: { prize_id: null },
      found: { prize_id },
    });
  });

  test("outside their round's time, or of another pool, are found", async () => {
    const { id, rounds_id } = await oneRow(
      t.db,
      `select id, rounds_id from draw_record where rounds_id = ${rounds.open} order by id limit 1`,
    );
    const late = await offencesAfter(
      t.db,
      `update activity_rule set rule = rule || '{"end_time": "2024-05-10T20:00:00+08:00"}'
       where rounds_id = ${rounds_id}`,
    );
    expect(late[DRAWS]).toEqual({
      table: "draw_record",
      ids: { id, rounds_id },
      expected: { is_in_time: true },
      found: { is_in_time: false },
    });
    const moved = await offencesAfter(
      t.db,
      `update activity_rule set rule = rule || '{"pool_id": 77}' where rounds_id = ${rounds_id}`,
    );
    expect(moved[DRAWS]).toMatchObject({ ids: { id }, expected: { pool_id: 77 } });
  });
});

describe("numbers", () => {
  test("of draws with a gap, or twice, are found", async () => {
    const { id, rounds_id, player_key } = await someRecord("draw_no = 2");
    const offence = (draw_no: number) => ({
      [NUMBERS]: {
        table: "draw_record",
        ids: { id, rounds_id, player_key },
        expected: { draw_no: 2 },
        found: { draw_no },
      },
    });
    const raised = `update draw_record set draw_no = 40 where id = ${id}`;
    expect(await offencesAfter(t.db, raised)).toMatchObject(offence(40));
    const doubled = await offencesAfter(
      t.db,
      "alter table draw_record drop constraint draw_record__draw_no_unique",
      `update draw_record set draw_no = 1 where id = ${id}`,
    );
    expect(doubled).toMatchObject(offence(1));
  });

  test("of logs in two partitions are found", async () => {
    const { id } = await someRecord();
    const found = await offencesAfter(
      t.db,
      "select ensure_draw_partition(64)",
      `create temp table copy on commit drop as select * from draw_record where id = ${id}`,
      "update copy set rounds_id = 64, draw_no = 1, extra_time_id = null",
      "insert into draw_record select * from copy",
    );
    expect(found[REFERENCES]).toEqual({
      table: "draw_record",
      ids: { id, rounds_id: 64 },
      expected: { rounds_id: 64, rule_version: 1 },
      found: { rounds_id: null, rule_version: null },
    });
    expect(found[NUMBERS]).toEqual({
      table: "draw_record",
      ids: { id },
      expected: { records: 1 },
      found: { records: 2 },
    });
  });

  test("of logs that do not tell their time are found", async () => {
    const { id, rounds_id } = await someRecord();
    const found = await offencesAfter(
      t.db,
      `update draw_record set created_at = created_at + interval '1 ms' where id = ${id}`,
    );
    expect(found[NUMBERS]).toMatchObject({ table: "draw_record", ids: { id, rounds_id } });
    expect(Object.keys(found[NUMBERS]?.found ?? {})).toEqual(["created_at"]);
  });

  test("of payouts that two have are found", async () => {
    const { log_id } = await oneRow(t.db, "select min(log_id) as log_id from payout");
    const { trans_sn } = await oneRow<{ trans_sn: string }>(
      t.db,
      `select trans_sn from payout where log_id = ${log_id}`,
    );
    const found = await offencesAfter(
      t.db,
      "alter table payout drop constraint payout__trans_sn_unique",
      `update payout set trans_sn = '${trans_sn}'
       where log_id = (select max(log_id) from payout)`,
    );
    expect(found).toEqual({
      [NUMBERS]: {
        table: "payout",
        ids: { log_id, trans_sn },
        expected: { payouts: 1 },
        found: { payouts: 2 },
      },
    });
  });
});

describe("requests", () => {
  test("that are missing or double are found", async () => {
    const { id, rounds_id } = await someRecord();
    const offence = (requests: number) => ({
      [REQUESTS]: {
        table: "draw_record",
        ids: { id, rounds_id },
        expected: { requests: 1 },
        found: { requests },
      },
    });
    const deleted = `delete from draw_request where log_id = ${id}`;
    expect(await offencesAfter(t.db, deleted)).toEqual(offence(0));
    const doubled = `insert into draw_request
      select key, 'again', body_hash, log_id, rounds_id from draw_request where log_id = ${id}`;
    expect(await offencesAfter(t.db, doubled)).toEqual(offence(2));
  });

  test("for another round, or for no record, are found", async () => {
    const { id, rounds_id } = await someRecord();
    const { request_id } = await oneRow<{ request_id: string }>(
      t.db,
      `select request_id from draw_request where log_id = ${id}`,
    );
    const ids = { key: "rk_test", request_id };
    const moved = `update draw_request set rounds_id = 99 where log_id = ${id}`;
    expect(await offencesAfter(t.db, moved)).toEqual({
      [REQUESTS]: {
        table: "draw_request",
        ids,
        expected: { rounds_id },
        found: { rounds_id: 99 },
      },
    });
    const cut = `update draw_request set log_id = 1 where log_id = ${id}`;
    expect((await offencesAfter(t.db, cut))[REQUESTS]).toEqual({
      table: "draw_request",
      ids,
      expected: { log_id: null, rounds_id: null },
      found: { log_id: 1, rounds_id },
    });
  });
});

describe("what a record refers to", () => {
  test.each([
    ["player", "delete from player where player_key = $player_key", "player_key"],
    ["prize", "delete from prize where id = $prize_id", "prize_id"],
    [
      "pool version",
      "delete from pool_version where pool_id = $pool_id and version = $pool_version",
      "pool_version",
    ],
  ])("is there: a missing %s is found", async (_what, statement, column) => {
    const record = await oneRow(
      t.db,
      `select *, min(id) over (partition by ${column}, pool_id) as first
       from draw_record where rounds_id = ${rounds.open} order by id limit 1`,
    );
    const filled = statement.replaceAll(/\$(\w+)/g, (_all, name: string) => String(record[name]));
    const found = await offencesAfter(t.db, filled);
    expect(found[REFERENCES]).toMatchObject({
      table: "draw_record",
      expected: { [column]: record[column] },
      found: { [column]: null },
    });
  });
});
