import { formatDateTime } from "@red/contract/platform/datetime";
import { deleteActivity } from "#rounds/change-activity";
import { selectIsEmpty } from "./demo-sql.ts";
import { ensureDemoRounds, isDemo, seedDemo } from "./seed-demo.ts";
import { verify } from "#evidence/verify";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { OPERATOR } from "#test/activity-factory";
import { makePlayer } from "#test/ingest-factory";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";

const SETTINGS = { timeZone: "Asia/Shanghai", redCodeDefault: "RED_DEMO" };
/** A Thursday morning in Shanghai, when it is still Wednesday in New York. */
const NOW = new Date("2026-03-05T10:00:00+08:00");
const NEXT_DAY = new Date("2026-03-06T00:30:00+08:00");

async function rounds(db: Db, timeZone = SETTINGS.timeZone) {
  const rows = await db
    .selectFrom("activity as a")
    .innerJoin("pool as p", "p.id", "a.pool_id")
    .selectAll("a")
    .select("p.pool_name")
    .orderBy("a.start_date")
    .orderBy("a.id")
    .execute();
  return rows.map((row) => ({
    ...row,
    start: formatDateTime(row.start_time, timeZone),
    end: formatDateTime(row.end_time, timeZone),
  }));
}

async function sizes(db: Db) {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*) from activity) as activity, (select count(*) from pool) as pool,
      (select count(*) from prize) as prize, (select count(*) from pool_version) as pool_version,
      (select count(*) from activity_rule) as activity_rule,
      (select count(*) from audit_log) as audit_log,
      (select count(*) from installation) as installation,
      (select count(*) from operator) as operator, (select count(*) from player) as player`.execute(
    db,
  );
  return rows[0];
}

describe("demonstration data on an empty database", () => {
  const t = useTestDb();

  test("is three pools, and rounds of yesterday, today and tomorrow", async () => {
    expect(await selectIsEmpty(t.db)).toBe(true);
    expect(await isDemo(t.db)).toBe(false);
    await seedDemo(t.db, SETTINGS, NOW);
    expect(await isDemo(t.db)).toBe(true);

    const made = await rounds(t.db);
    expect(made.filter((round) => round.end_time < NOW)).toHaveLength(1);
    const tomorrow = made.filter((round) => round.start_time > NOW);
    expect(tomorrow.map((round) => [round.start, round.end])).toEqual([
      ["2026-03-06 00:00:00", "2026-03-06 23:59:59"],
    ]);
    const today = made.filter((round) => round.start_date === "2026-03-05");
    expect(today.filter((round) => round.rounds_status === 0)).toHaveLength(1);
    const running = today.filter((round) => round.rounds_status === 1);
    const condition = (name: string, formula: string, type: string, value: number) => ({
      condition_name: name,
      condition_formula: formula,
      condition_type: type,
      condition_value_cents: value,
    });
    expect(running).toMatchObject([
      condition("2", "1", "2", 12_000),
      condition("2", "3", "1", 20_000),
      condition("1", "1", "2", 12_000),
      condition("0", "0", "0", 0),
    ]);
    expect(new Set(running.map((round) => round.tag))).toEqual(new Set(["weekend", "dragon"]));
    expect(new Set(made.map((round) => round.red_code))).toEqual(new Set(["RED_DEMO"]));
  });

  test("leaves an audit row for each thing made, and no operator", async () => {
    const size = await sizes(t.db);
    expect(size).toMatchObject({ pool: 3, prize: 16, activity: 7, operator: 0, player: 0 });
    // The paused round has two audit rows: created and paused.
    expect(size).toMatchObject({ audit_log: 3 + 16 + 7 + 1 });
  });

  test("changes nothing when it is made again on the same day", async () => {
    const before = await sizes(t.db);
    await seedDemo(t.db, SETTINGS, NOW);
    await ensureDemoRounds(t.db, SETTINGS, NOW);
    expect(await sizes(t.db)).toEqual(before);
  });

  test("adds the same rounds on the next day, each once", async () => {
    await ensureDemoRounds(t.db, SETTINGS, NEXT_DAY);
    const made = await rounds(t.db);
    const namesOf = (day: string) =>
      made.filter((round) => round.start_date === day).map((round) => round.rounds_name);
    expect(namesOf("2026-03-06").toSorted()).toEqual(namesOf("2026-03-05").toSorted());
    expect(namesOf("2026-03-07")).toHaveLength(1);
    expect(await sizes(t.db)).toMatchObject({ pool: 3, prize: 16 });
  });

  test("leaves deleted what an operator has deleted", async () => {
    const [gone] = (await rounds(t.db)).filter((round) => round.start_date === "2026-03-06");
    const id = gone?.id ?? 0;
    await inTransaction(t.db, (tx) => deleteActivity(tx, OPERATOR, id, SETTINGS.timeZone));
    const before = await sizes(t.db);
    await ensureDemoRounds(t.db, SETTINGS, NEXT_DAY);
    expect(await sizes(t.db)).toEqual(before);
  });
});

describe("demonstration days", () => {
  const t = useTestDb();

  test("are those of the business zone", async () => {
    const newYork = { ...SETTINGS, timeZone: "America/New_York" };
    await seedDemo(t.db, newYork, NOW);
    const made = await rounds(t.db, newYork.timeZone);
    const running = made.filter((round) => round.start_time <= NOW && round.end_time >= NOW);
    expect(running).toHaveLength(5);
    expect(new Set(running.map((round) => round.start))).toEqual(new Set(["2026-03-04 00:00:00"]));
  });
});

describe("a demonstration that looks back on two days", () => {
  const t = useTestDb();
  const morning = new Date("2026-03-05T10:00:00+08:00");

  test("has players, money and draws of the day before, each in its round's day", async () => {
    await seedDemo(t.db, SETTINGS, morning, 2);
    const made = await rounds(t.db);
    const rows = await t.sql<{ day: string; draws: number; outside: number; queued: number }>`
      select a.start_date::text as day, count(*)::int as draws,
        (count(*) filter (where r.created_at < a.start_time or r.created_at > a.end_time
          or r.id / 16384 + 1577836800000 <> extract(epoch from r.created_at) * 1000))::int as outside,
        (count(*) filter (where p.state in ('queued', 'waiting_delivery')))::int as queued
      from draw_record r join activity a on a.id = r.rounds_id join payout p on p.log_id = r.id
      group by 1 order by 1`;
    expect(rows.map(({ day }) => day)).toEqual(["2026-03-04"]);
    for (const { draws, outside, queued } of rows) {
      expect(draws).toBeGreaterThan(100);
      expect([outside, queued]).toEqual([0, draws]);
    }
    for (const table of ["deposit", "bet"]) {
      const days = await t.sql<{ day: string }>`
        select distinct (created_at at time zone 'Asia/Shanghai')::date::text as day
        from ${sql.table(table)}`;
      expect(days).toEqual([{ day: "2026-03-04" }]);
    }
    expect(new Set(made.map((round) => round.start_date))).toEqual(
      new Set(["2026-03-04", "2026-03-05", "2026-03-06"]),
    );
  });

  test("verifies, and the clock is right again", async () => {
    const { ok, checks } = await verify(t.db);
    expect(checks.filter(({ offence }) => offence !== null)).toEqual([]);
    expect(ok).toBe(true);
    const rows = await t.sql<{ clocks: number; late: boolean }>`
      select (select count(*)::int from pg_proc where proname = 'clock_timestamp'
          and pronamespace <> 'as_of'::regnamespace) as clocks,
        clock_timestamp() > now() - interval '1 minute' as late`;
    expect(rows).toEqual([{ clocks: 1, late: true }]);
  });
});

describe("several servers at once", () => {
  const t = useTestDb();

  test("make one demonstration", async () => {
    await Promise.all([1, 2, 3, 4].map(() => seedDemo(t.db, SETTINGS, NOW)));
    expect(await sizes(t.db)).toMatchObject({ pool: 3, prize: 16, activity: 7, installation: 1 });
  });
});

describe("a database of somebody", () => {
  const t = useTestDb();

  test.each([
    ["a player", () => makePlayer(t.db)],
    [
      "a record of a player that was removed",
      () =>
        t.sql`select ensure_draw_partition(1);
        insert into draw_record values (1, 1, 1, 1, 1, '', 1, 1, 1, 1, 1, 0, null, '{}', null, now())`,
    ],
  ])("is never touched: it has %s", async (_what, make) => {
    await t.sql`truncate pool, player, draw_record cascade`;
    expect(await selectIsEmpty(t.db)).toBe(true);
    await make();
    expect(await selectIsEmpty(t.db)).toBe(false);
    const before = await sizes(t.db);
    await expect(seedDemo(t.db, SETTINGS, NOW)).rejects.toThrow("only put into an empty one");
    await ensureDemoRounds(t.db, SETTINGS, NOW);
    expect(await sizes(t.db)).toEqual(before);
    expect(await isDemo(t.db)).toBe(false);
  });
});
