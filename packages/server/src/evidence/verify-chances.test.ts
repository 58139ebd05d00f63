import { makeHealthyPromotion } from "#test/healthy-promotion";
import type { Rounds } from "#test/healthy-promotion";
import { offencesAfter, oneRow } from "#test/falsified";
import { useTestDb } from "#test/test-db";
import { beforeAll, describe, expect, test } from "vitest";

const CHANCES = "chances against raw deposits and bets (§4)";
const EXTRA_TIMES = "extra times against records (§4)";

const t = useTestDb();
let rounds: Rounds;

beforeAll(async () => {
  rounds = await makeHealthyPromotion(t.db);
});

/** The last earned draw of a player in a round under a rule version, as an offence names it. */
async function lastEarned(player_id: string, rounds_id: number, rule_version = 1) {
  return await oneRow(
    t.db,
    `select r.id, r.rounds_id, r.player_key, r.rule_version
     from draw_record r join player p using (player_key)
     where p.player_id = '${player_id}' and r.rounds_id = ${rounds_id}
       and r.rule_version = ${rule_version} and r.extra_time_id is null
     order by r.draw_no desc limit 1`,
  );
}

function overdrawn(ids: object, allowed: number, drawn: number) {
  return {
    table: "draw_record",
    ids,
    expected: { earned_draws: `at most ${allowed}` },
    found: { earned_draws: drawn },
  };
}

describe("chances against raw deposits", () => {
  test.each([
    ["is deleted", "delete from deposit where order_no = 'first-p2'", 0],
    ["was smaller", "update deposit set amount_cents = 10000 where order_no = 'first-p2'", 1],
    [
      "was made a second after the window",
      "update deposit set created_at = '2024-05-10 16:00:00+00' where order_no = 'first-p2'",
      0,
    ],
    [
      "was reversed before",
      "update deposit set reversed_at = '2024-06-01' where order_no = 'first-p2'",
      0,
    ],
    [
      "is another player's",
      `update deposit set player_key = (select player_key from player where player_id = 'p9')
       where order_no = 'first-p2'`,
      0,
    ],
  ])("miss one that %s", async (_what, statement, allowed) => {
    const found = await offencesAfter(t.db, statement);
    const ids = await lastEarned("p2", rounds.cumulative);
    expect(found).toEqual({ [CHANCES]: overdrawn(ids, allowed, 2) });
  });

  test("still count one of the window's last moment", async () => {
    const last =
      "update deposit set created_at = '2024-05-10 15:59:59.999+00' where order_no = 'first-p2'";
    expect(await offencesAfter(t.db, last)).toEqual({});
  });

  test("are judged under the rule version of each draw", async () => {
    // 250.00 and 101.50: two draws for every full 120, and one more once 100 was enough.
    const statement = "update deposit set amount_cents = 1 where amount_cents = 10150";
    const ids = await lastEarned("p2", rounds.cumulative, 2);
    expect(await offencesAfter(t.db, statement)).toEqual({ [CHANCES]: overdrawn(ids, 2, 3) });
  });

  test("count a deposit that was reversed at the same time as the draw", async () => {
    const { id } = await lastEarned("p2", rounds.cumulative, 2);
    const reversed = (before: string) => `
      update deposit d set reversed_at = r.created_at - interval '${before}'
      from draw_record r where r.id = ${id} and d.order_no = 'first-p2'`;
    expect(await offencesAfter(t.db, reversed("9 seconds"))).toEqual({});
    expect(await offencesAfter(t.db, reversed("11 seconds"))).toHaveProperty([CHANCES]);
  });
});

describe("chances against other rules", () => {
  test.each([
    ["is deleted", "delete from bet where bet_no = 'b-p3'"],
    ["did not reach the value", "update bet set valid_bet_cents = 19999 where bet_no = 'b-p3'"],
    ["was void before", "update bet set voided_at = '2024-06-01' where bet_no = 'b-p3'"],
  ])("miss a bet that %s", async (_what, statement) => {
    const ids = await lastEarned("p3", rounds.single);
    expect(await offencesAfter(t.db, statement)).toEqual({ [CHANCES]: overdrawn(ids, 0, 5) });
  });

  test("find a draw on no chance at all where only extra times count", async () => {
    const ids = await oneRow(
      t.db,
      `select id, rounds_id, player_key, rule_version from draw_record
       where rounds_id = ${rounds.listed} order by player_key, draw_no desc limit 1`,
    );
    const found = await offencesAfter(
      t.db,
      `update draw_record set extra_time_id = null where id = ${ids["id"]}`,
      `update extra_time set used_log_id = null, used_rounds_id = null
       where used_log_id = ${ids["id"]}`,
    );
    expect(found).toEqual({ [CHANCES]: overdrawn(ids, 0, 1) });
  });

  test("find more draws than a kept rule grants", async () => {
    const many = await oneRow(
      t.db,
      `select player_key, rounds_id, max(id) as id, 1 as rule_version, count(*) as draws
       from draw_record where rounds_id = ${rounds.open}
       group by player_key, rounds_id having count(*) > 2 order by player_key limit 1`,
    );
    const found = await offencesAfter(
      t.db,
      `update activity_rule set rule = rule || '{"condition_times": 2}'
       where rounds_id = ${rounds.open}`,
    );
    const { draws, ...ids } = many;
    expect(found[CHANCES]).toEqual(overdrawn(ids, 2, Number(draws)));
  });

  test.each([
    ["is missing", "delete from activity_rule where version = 1 and rounds_id ="],
    [
      "cannot be read",
      "update activity_rule set rule = rule - 'condition_times' where version = 1 and rounds_id =",
    ],
    [
      "lets nothing through",
      `update activity_rule set rule = rule || '{"condition_value_cents": 0}'
       where version = 1 and rounds_id =`,
    ],
  ])("name a rule that %s", async (_what, statement) => {
    const found = await offencesAfter(t.db, `${statement} ${rounds.cumulative}`);
    expect(found[CHANCES]).toEqual({
      table: "activity_rule",
      ids: { rounds_id: rounds.cumulative, version: 1 },
      expected: { is_readable: true },
      found: { is_readable: false },
    });
  });
});

describe("extra times", () => {
  const used = "select * from extra_time where used_log_id is not null order by id limit 1";

  test("are marked by the records that used them", async () => {
    const { id, used_log_id, used_rounds_id } = await oneRow(t.db, used);
    const freed = await offencesAfter(
      t.db,
      `update extra_time set used_log_id = null, used_rounds_id = null where id = ${id}`,
    );
    expect(freed).toEqual({
      [EXTRA_TIMES]: {
        table: "extra_time",
        ids: { id },
        expected: { used_log_id, used_rounds_id },
        found: { used_log_id: null, used_rounds_id: null },
      },
    });
    const deleted = await offencesAfter(t.db, `delete from extra_time where id = ${id}`);
    expect(deleted[EXTRA_TIMES]).toMatchObject({ ids: { id }, found: null });
  });

  test.each([
    ["another player's", "player_key = player_key + 1", "player_key"],
    ["another group's", "tag = 'dragon'", "tag"],
    ["expired before", "expire_time = '2024-01-01'", "is_in_time"],
  ])("that were %s are found", async (_what, change, column) => {
    const { id } = await oneRow(t.db, used);
    const found = await offencesAfter(t.db, `update extra_time set ${change} where id = ${id}`);
    expect(Object.keys(found)).toEqual([EXTRA_TIMES]);
    expect(found[EXTRA_TIMES]).toMatchObject({ table: "extra_time", ids: { id } });
    expect(Object.keys(found[EXTRA_TIMES]?.found ?? {})).toEqual([column]);
  });

  test("marked as used for a record that knows nothing of it are found", async () => {
    const { id, rounds_id } = await oneRow(
      t.db,
      "select id, rounds_id from draw_record where extra_time_id is null order by id limit 1",
    );
    const unused = await oneRow(
      t.db,
      `insert into extra_time (player_key, tag, expire_time, granted_by)
       select player_key, 'weekend', '2097-01-01', 'root-op' from player limit 1 returning id`,
    );
    const found = await offencesAfter(
      t.db,
      `update extra_time set used_log_id = ${id}, used_rounds_id = ${rounds_id}
       where id = ${unused["id"]}`,
    );
    expect(Object.keys(found)).toEqual([EXTRA_TIMES]);
    expect(found[EXTRA_TIMES]?.expected).toHaveProperty(["record.extra_time_id"]);
  });

  test("are used by one record only", async () => {
    const { id, used_log_id } = await oneRow(t.db, used);
    const other = await oneRow(
      t.db,
      `select id, rounds_id from draw_record
       where extra_time_id is null and rounds_id = ${rounds.single} order by id limit 1`,
    );
    const found = await offencesAfter(
      t.db,
      `update draw_record set extra_time_id = ${id} where id = ${other["id"]}`,
    );
    expect(found[EXTRA_TIMES]).toEqual({
      table: "extra_time",
      ids: { id },
      expected: { used_log_id: other["id"], used_rounds_id: rounds.single },
      found: { used_log_id, used_rounds_id: rounds.listed },
    });
  });
});
