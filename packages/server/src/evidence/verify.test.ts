import { verify, verifySnapshot } from "./verify.ts";
import type { Db } from "#platform/db/connection";
import { inSnapshot } from "#platform/db/snapshot";
import { offencesAfter, oneRow, tampered } from "#test/falsified";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { DAMAGE_OF_DRAWS, moved } from "#test/planted-damage";
import { chunk, cut, DAMAGE_OF_MONEY, lastEarned } from "#test/planted-damage-money";
import { DAMAGE_OF_VERSIONS } from "#test/planted-damage-versions";
import type { Rounds } from "#test/healthy-promotion";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";

const STOCK = "stock against records (§5)";

const t = useTestDb();
let rounds: Rounds;

beforeAll(async () => {
  rounds = await makeHealthyPromotion(t.db);
});

describe("a database that was used normally", () => {
  test("contradicts nothing, and every check has looked at rows", async () => {
    const names: string[] = [];
    const { ok, checks } = await verify(t.db, (check) => names.push(check.name));
    expect(checks.map((check) => check.offence)).toEqual(checks.map(() => null));
    expect(ok).toBe(true);
    expect(names).toEqual(checks.map((check) => check.name));
    expect(checks.filter((check) => check.checked === 0)).toEqual([]);
    // The scenario contains every case that the checks examine.
    const { fallbacks, exhausted, rule_versions, states, called_back } = await oneRow(
      t.db,
      `select count(fallback_ticket) as fallbacks, sum(cardinality(exhausted)) as exhausted,
        count(distinct rule_version) as rule_versions,
        (select count(distinct state) from payout) as states,
        -- Settled by a callback after it was sent.
        (select count(*) from payout p where state = 'paid' and (
          select bool_and(kind = 'callback') from payout_attempt a
          where a.log_id = p.log_id and outcome = 'paid')) as called_back
      from draw_record`,
    );
    expect(Math.min(Number(fallbacks), Number(exhausted), Number(called_back))).toBeGreaterThan(0);
    expect({ rule_versions, states }).toEqual({ rule_versions: 2, states: 7 });
  });

  test("is read as of one moment, whatever is written meanwhile", async () => {
    const spoil = async () => {
      await t.sql`update prize set drawn = 0`;
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
    await t.sql`
      update prize z set drawn = (select count(*) from draw_record r where r.prize_id = z.id)`;
  });

  test("cannot be written by the verification", async () => {
    const write = (db: Db) => sql`update prize set drawn = 0`.execute(db);
    await expect(inSnapshot(t.db, write)).rejects.toMatchObject({ code: "25006" });
  });
});

describe("found:", () => {
  test.each([...DAMAGE_OF_VERSIONS, ...DAMAGE_OF_DRAWS, ...DAMAGE_OF_MONEY])(
    "$what",
    async (damage) => {
      const { of = "select 1 as none", by, check, finds, andMore = false } = damage;
      const named = (sql: string, row: object) =>
        Object.entries(row).reduce((text, [name, value]) => filled(text, name, value), sql);
      const row = { ...rounds, ...(await oneRow<object>(t.db, named(of, rounds))) };
      const statements = [by].flat().map((statement) => named(statement, row));
      const found = await offencesAfter(t.db, ...statements);
      const [table, ids, expected, wrong] = finds;
      expect(found[check]).toEqual(valued({ table, ids, expected, found: wrong }, row));
      expect(andMore || Object.keys(found).length === 1).toBe(true);
    },
  );
});

function filled(text: string, name: string, value: unknown): string {
  return text.replaceAll(new RegExp(`\\$${name}\\b`, "g"), String(value));
}

/** Replaces each `"$name"` by the value of the damaged row. */
function valued(finding: unknown, row: Readonly<Record<string, unknown>>): unknown {
  if (typeof finding === "string" && finding.startsWith("$")) {
    return row[finding.slice(1)];
  }
  const isPlain = typeof finding === "object" && finding?.constructor === Object;
  return isPlain
    ? Object.fromEntries(Object.entries(finding).map(([key, one]) => [key, valued(one, row)]))
    : finding;
}

const ANCHOR = [{ no: 1, hash: "00" }];

test.each([
  ["seals of records (§5)", "seal", "", { draw_record: ANCHOR }],
  ["seals of the audit log (§9)", "audit_seal", "", { audit_log: ANCHOR }],
  [
    "erased players (§3)",
    "player",
    "update player set erased_at = now(), blocked = true where player_id = 'p1'",
    {},
  ],
])("%s: what is found names %s", async (name, table, statement, anchors) => {
  const look = (db: Db) => verifySnapshot(db, undefined, anchors);
  const { checks } = await tampered(t.db, sql.raw(statement || "select 1"), look);
  const found = checks.filter(({ offence }) => offence !== null);
  expect(found.map((check) => [check.name, check.offence?.table])).toEqual([[name, table]]);
});

test.each([
  ["deposit", "2024-05-01", ["cumulative"]],
  ["bet", "2024-05-01", ["single"]],
  ["bet", "2024-04-01", []],
  ["deposit", "2024-06-01", []],
] as const)(
  "chances are not checked by %ss of a month that was taken out, here %s",
  async (kind, month, names) => {
    const statements = `insert into detached_month (kind, month) values ('${kind}', '${month}');
      delete from ${kind} where '${names.join("")}' <> ''; delete from event_chunk`;
    const { checks } = await tampered(t.db, sql.raw(statements), (db) => verifySnapshot(db));
    const check = checks.find((one) => one.name.startsWith("chances"));
    expect([check?.unchecked, check?.offence]).toEqual([names.map((name) => rounds[name]), null]);
  },
);

const LAST_BET = "(select max(created_at) from bet where player_key = $player_key)";

test.each([
  [
    "sums of bets up to a bet, from it on, and of a platform without any",
    () =>
      `${chunk("'-infinity'", LAST_BET, "count(*)")}; ${chunk(LAST_BET, "'infinity'", "count(*)")};
      insert into event_chunk values ('bet', $player_key, 1, '-infinity', 'infinity', 0, 0, 0, 0, 0, 0, '{2234}')`.replaceAll(
        "$player_key",
        "(select player_key from player where player_id = 'p3')",
      ),
  ],
  [
    "a deposit of the window's first moment",
    () => "update deposit set created_at = '2024-05-09 16:00:00+00' where order_no = 'first-p2'",
  ],
  ["a draw of its round's first moment", () => moved("start_time", "min(created_at)")],
  [
    "a draw of its round's last moment",
    () => moved("end_time", "max(created_at) - interval '999 ms'"),
  ],
  [
    "an extra time of its draw's second",
    () => `
      update extra_time e set expire_time = r.created_at - interval '999 ms'
      from draw_record r where r.id = e.used_log_id`,
  ],
  [
    "a payout from before payouts had the prize's name",
    () => "update payout set award_name = null",
  ],
  [
    "a wallet's word that came with another one",
    () => `
      update payout_attempt set outcome = outcome || ', late' where outcome in ('paid', 'refused')`,
  ],
  [
    "what was deleted by age",
    () => `
      ${cut("requests", "9e18")}; delete from draw_request; ${cut("attempts", "9e18")};
      delete from payout_attempt a using payout p
      where p.log_id = a.log_id and p.state in ('paid', 'delivered')`,
  ],
  [
    "a deposit of the window's last moment",
    () =>
      "update deposit set created_at = '2024-05-10 15:59:59.999+00' where order_no = 'first-p2'",
  ],
  [
    "a deposit that was reversed at the same time as the draw",
    () => `
      update deposit d set reversed_at = r.created_at - interval '9 seconds'
      from (${lastEarned("p2", String(rounds.cumulative), 2)}) r where d.order_no = 'first-p2'`,
  ],
  [
    "a rule that was saved in another zone",
    () => `
      update activity_rule set rule = rule || jsonb_build_object('start_time',
        to_char((rule ->> 'start_time')::timestamptz at time zone '+05:30', 'YYYY-MM-DD"T"HH24:MI:SS')
          || '-05:30')
      where rounds_id = ${rounds.open}`,
  ],
])("%s contradicts nothing", async (_what, statement) => {
  expect(await offencesAfter(t.db, statement())).toEqual({});
});
