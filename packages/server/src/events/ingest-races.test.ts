import type { IngestResult } from "@red/contract/events/ingest";
import type { Tx } from "#platform/db/connection";
import { countRows } from "#platform/db/snapshot";
import { makeMonths } from "./event-sql.ts";
import { ingestEvents } from "./ingest-events.ts";
import { ingestPlayers } from "./ingest-players.ts";
import { counted, depositOf, feed, fresh, PLATFORM, takeBack } from "#test/ingest-factory";
import { hold, meet, untilWaiting } from "#test/races";
import { useTestDb, watched } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();

function totals(results: readonly IngestResult[]) {
  return {
    accepted: results.reduce((sum, result) => sum + result.accepted, 0),
    duplicates: results.reduce((sum, result) => sum + result.duplicates, 0),
    rejected: results.flatMap((result) => result.rejected),
  };
}

const deposits =
  (...rows: unknown[]) =>
  (tx: Tx) =>
    ingestEvents(tx, PLATFORM, "deposit", rows, "en");

test("of two identical calls at once, each row is accepted by exactly one", async () => {
  const rows = Array.from({ length: 5_000 }, (_, at) => depositOf(`twin-${at % 700}`));
  const before = await countRows(t.db, "deposit");
  const results = await Promise.all([feed(t.db, "deposits", rows), feed(t.db, "deposits", rows)]);
  expect(totals(results)).toEqual({ accepted: 5_000, duplicates: 5_000, rejected: [] });
  expect(await countRows(t.db, "deposit")).toBe(before + 5_000);
});

test("a call waits for another's uncommitted rows and reports them as duplicates", async () => {
  const player = fresh("p");
  const rows = [depositOf(player), depositOf(player)];
  await feed(t.db, "deposits", [depositOf(player)]);
  const changed = rows.map((row, at) => (at === 0 ? row : { ...row, amount: "1" }));
  const second = deposits(...changed, depositOf(player));
  expect(await meet(t.db, deposits(...rows), second)).toMatchObject({
    accepted: 1,
    duplicates: 1,
    rejected: [{ index: 1, code: "conflict" }],
  });
});

test("two times of one number at once are stored as one of them", async () => {
  const player = fresh("p");
  await feed(t.db, "deposits", [depositOf(player)]);
  const row = depositOf(player);
  const later = { ...row, created_at: "2024-05-10T12:00:00Z" };
  expect(await meet(t.db, deposits(row), deposits(later))).toMatchObject({
    accepted: 0,
    rejected: [{ index: 0, code: "conflict" }],
  });
});

test("the same identity for two players at once is stored for one of them", async () => {
  const [one, two] = [fresh("p"), fresh("p")];
  await feed(t.db, "deposits", [depositOf(one), depositOf(two)]);
  const row = depositOf(one);
  const other = { ...row, player_id: two, user_name: `${two}-name` };
  expect(await meet(t.db, deposits(row), deposits(other, other))).toMatchObject({
    rejected: [{ code: "conflict" }, { code: "conflict" }],
  });
});

test("calls of two players over the same identities, in opposite order, never deadlock", async () => {
  const [one, two] = [fresh("p"), fresh("p")];
  await feed(t.db, "deposits", [depositOf(one), depositOf(two)]);
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const rows = Array.from({ length: 1_500 }, () => depositOf(one));
    const others = rows
      .toReversed()
      .map((row) => ({ ...row, player_id: two, user_name: `${two}-name` }));
    const results = await Promise.all([
      feed(t.db, "deposits", rows),
      feed(t.db, "deposits", others),
    ]);
    const { accepted, rejected } = totals(results);
    expect(accepted).toBe(1_500);
    expect(new Set(rejected.map((rejection) => rejection.code))).toEqual(new Set(["conflict"]));
  }
});

test("overlapping calls in opposite order never deadlock", async () => {
  const players = Array.from({ length: 60 }, (_, at) => `cross-${at}`);
  const months = Array.from({ length: 6 }, (_, at) => `2021-0${at + 1}-15T00:00:00Z`);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const rows = Array.from({ length: 600 }, (_, at) =>
      depositOf(players[(at * 7) % 60] ?? "", { created_at: months[(at + attempt) % 6] }),
    );
    const names = players.map((player_id, at) => ({
      player_id,
      user_name: `${player_id}-name`,
      blocked: (at + attempt) % 2 === 0,
    }));
    const results = await Promise.all([
      feed(t.db, "deposits", rows),
      feed(t.db, "deposits", rows.toReversed()),
      feed(t.db, "players", names.toReversed()),
      feed(t.db, "deposits", [...rows.slice(300), ...rows.slice(0, 300)]),
      takeBack(t.db, rows.slice(0, 100)),
      feed(t.db, "players", names),
    ]);
    // In the first turn, all these calls add the players, and then find them.
    expect([2, 5].flatMap((at) => results[at]?.rejected ?? [])).toEqual([]);
    const fed = totals([0, 1, 3].flatMap((at) => results[at] ?? []));
    expect(fed).toEqual({ accepted: 600, duplicates: 1_200, rejected: [] });
  }
});

test("calls with a crowd of the same millisecond wait for each other, small ones do not", async () => {
  const created_at = "2024-05-09T05:00:00.123Z";
  const players = [fresh("p"), fresh("p"), fresh("p")];
  const known = players.map((player) => depositOf(player));
  await feed(t.db, "deposits", known);
  const [first = [], second = [], third = []] = players.map((player, at) =>
    Array.from({ length: at === 2 ? 64 : 65 }, () => depositOf(player, { created_at })),
  );
  const held = await hold(t.db, deposits(...first));
  const waiting = feed(t.db, "deposits", second);
  await untilWaiting(t.db);
  expect(await feed(t.db, "deposits", third)).toEqual(counted({ accepted: 64 }));
  await held.commit();
  expect(await waiting).toEqual(counted({ accepted: 65 }));
});

test("calls that use up a millisecond at once fill it exactly", async () => {
  const created_at = "2024-05-09T04:00:00.123Z";
  // The players are known: adding them would make the calls wait for each other anyway.
  const known = [0, 1, 2, 3].map((call) => depositOf(`crowd-${call}`));
  await feed(t.db, "deposits", known);
  const calls = Array.from({ length: 4 }, (_, call) =>
    Array.from({ length: 5_000 }, () => depositOf(`crowd-${call}`, { created_at })),
  );
  const results = await Promise.all(calls.map((rows) => feed(t.db, "deposits", rows)));
  const { accepted, rejected } = totals(results);
  expect(accepted).toBe(16_384);
  expect(rejected).toHaveLength(20_000 - 16_384);
  expect(new Set(rejected.map((rejection) => rejection.code))).toEqual(new Set(["created_at"]));
});

test("a name that another call has just taken is not given twice", async () => {
  const [one, two] = [fresh("p"), fresh("p")];
  const first = await hold(t.db, (tx) =>
    ingestPlayers(tx, PLATFORM, [{ player_id: one, user_name: "wanted" }], "en"),
  );
  const second = feed(t.db, "deposits", [depositOf(two, { user_name: "WANTED" })]);
  const third = feed(t.db, "players", [{ player_id: two, user_name: "Wanted" }]);
  await untilWaiting(t.db, 2);
  await first.commit();
  expect((await second).rejected).toMatchObject([{ code: "player_mismatch" }]);
  expect((await third).rejected).toMatchObject([{ code: "player_mismatch" }]);
});

test("a month's first partition is created while others are writing", async () => {
  const busy = fresh("p");
  await feed(t.db, "deposits", [depositOf(busy)]);
  const held = await hold(t.db, deposits(depositOf(busy), depositOf(fresh("p"))));
  const created_at = "2020-02-01T00:00:00Z";
  const [known, added] = [depositOf(busy, { created_at }), depositOf(fresh("p"), { created_at })];
  const calls = [feed(t.db, "deposits", [known]), feed(t.db, "deposits", [added])];
  await untilWaiting(t.db, 2);
  await held.commit();
  expect(totals(await Promise.all(calls))).toEqual({ accepted: 2, duplicates: 0, rejected: [] });
});

test("a call of 5,000 rows takes as many statements as one of five", async () => {
  let statements = 0;
  const { db } = watched(t, () => (statements += 1));
  const statementsFor = async (count: number) => {
    const rows = Array.from({ length: count }, (_, at) => depositOf(`fast-${count}-${at % 2_000}`));
    statements = 0;
    expect(await feed(db, "deposits", rows)).toEqual(counted({ accepted: count }));
    const first = statements;
    statements = 0;
    expect(await feed(db, "deposits", rows)).toEqual(counted({ duplicates: count }));
    return [first, statements];
  };
  const few = await statementsFor(5);
  expect(Math.max(...few)).toBeLessThan(15);
  expect(await statementsFor(5_000)).toEqual(few);
});

test("this month and the next are made ahead, once however many processes do it", async () => {
  const made = await Promise.all([makeMonths(t.db), makeMonths(t.db)]);
  expect(Math.max(...made.map(({ months }) => months))).toBe(4);
  expect(await makeMonths(t.db)).toEqual({ months: 0 });
  const rows = await t.sql<{ parts: number }>`
    select count(*) as parts from pg_inherits i join pg_class p on p.oid = i.inhrelid
    where p.relname in (select kind || to_char(now() at time zone 'UTC' + ahead, '_YYYYMM')
      from unnest(array['deposit', 'bet']) as kind, unnest(array[interval '0', '1 month']) as ahead)
    `;
  expect(rows).toEqual([{ parts: 4 }]);
});
