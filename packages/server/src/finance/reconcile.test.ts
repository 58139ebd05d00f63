/** A statement with planted breaks of every kind: each is found, and nothing else. */
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@red/contract/errors";
import type { BreakKind } from "@red/contract/reconciliation";
import { BREAK_KINDS, reconciliationRoutes } from "@red/contract/reconciliation";
import { mendBreaks } from "./mend-breaks.ts";
import { reconcile } from "./reconcile.ts";
import type { Statement } from "./reconcile.ts";
import { inTransaction } from "#platform/connection";
import { withNames } from "#platform/player-names";
import { lockPayouts } from "#payouts/payout-sql";
import { selectBreaks, selectReconciliations } from "./reconciliation-sql.ts";
import type { StatementEntry } from "./reconciliation-sql.ts";
import { configOf, redctl } from "#test/redctl";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRecord } from "#test/factories";
import { TEST_ACTOR } from "#test/operator-factory";
import { outcomeOf, untilWaiting } from "#test/races";
import { auditsOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb, watched } from "#test/test-db";
import { upload } from "#test/upload";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

const PAID = 900;
const OPEN = 100;
const PLANTED = 20;
const HOUR = 3_600_000;

const t = useTestDb();
const a = useTestApp(t);
let player: MadePlayer;
let paid: MadeRecord[] = [];
let open: MadeRecord[] = [];
let now = new Date();

beforeEach(async () => {
  await sql`truncate reconciliation, wallet_entry, reconciliation_break, payout_attempt, payout,
    draw_record cascade`.execute(t.db);
  now = new Date();
  const round = await makeRound(t.db);
  player = await makePlayer(t.db);
  const half_ago = new Date(now.getTime() - HOUR / 2);
  const made = await makeRecords(t.db, round, player, [
    ...Array.from({ length: PAID }, () => ({
      state: "paid" as const,
      created_at: half_ago,
      payout: { paid_at: half_ago },
    })),
    ...Array.from({ length: OPEN }, () => ({ state: "unknown" as const, created_at: half_ago })),
  ]);
  paid = made.slice(0, PAID);
  open = made.slice(PAID);
  await sql`
    insert into payout_attempt (log_id, no, kind, outcome, started_at)
    select log_id, 1, 'pay', 'paid', created_at from payout where state = 'paid'`.execute(t.db);
  await sql`update payout set attempts = 1 where state = 'paid'`.execute(t.db);
});

function entryOf({ trans_sn }: MadeRecord, more: Partial<StatementEntry> = {}): StatementEntry {
  const paid_at = new Date(now.getTime() - HOUR / 2);
  const { player_id } = player;
  return { trans_sn, amount_cents: 888, player_id, paid_at, wallet_ref: null, ...more };
}

/** From `before` hours ago until an hour from now, in pages as a wallet sends them. */
function statement(entries: readonly StatementEntry[], before = 1) {
  const pages = [];
  for (let at = 0; at < entries.length; at += 300) {
    pages.push(entries.slice(at, at + 300));
  }
  return {
    from_at: new Date(now.getTime() - before * HOUR),
    to_at: new Date(now.getTime() + HOUR),
    file_name: null,
    pages,
  };
}

/** All payments, as we have them. */
const sound = () => statement(paid.map((one) => entryOf(one)));
const breaksOf = async (one: Statement) => (await reconcile(t.db, TEST_ACTOR, one)).breaks;
const mend = (ids: readonly number[], end: "adopted" | "accepted", reason: string, db = t.db) =>
  inTransaction(db, (tx) => mendBreaks(tx, TEST_ACTOR, ids, end, reason));
const openBreaks = (kind?: BreakKind) =>
  selectBreaks(t.db, { open: 1, kind }, { page: 1, size: 1000 });

async function kinds(match: { open?: 0 | 1 } = { open: 1 }): Promise<Record<string, number>> {
  const rows = await selectBreaks(t.db, match, { page: 1, size: 1000 });
  const counts: Record<string, number> = {};
  for (const { kind } of rows) {
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** All payments, with twenty breaks of each kind. */
function planted(): StatementEntry[] {
  const [wrongAmount, wrongPlayer, twice] = [20, 40, 60];
  // The first twenty are missing.
  const sound = paid.slice(PLANTED).map((one) => entryOf(one));
  return [
    ...sound.map((entry, index) =>
      index >= wrongAmount && index < wrongAmount + PLANTED
        ? { ...entry, amount_cents: 889 }
        : index >= wrongPlayer && index < wrongPlayer + PLANTED
          ? { ...entry, player_id: "somebody else" }
          : entry,
    ),
    ...sound.slice(twice, twice + PLANTED / 2),
    ...Array.from({ length: PLANTED / 2 }, (_, index) =>
      entryOf({ log_id: 0, trans_sn: `never-made-${index}` }),
    ),
    ...open.slice(0, PLANTED).map((one) => entryOf(one)),
  ];
}

async function kept() {
  const { rows } = await sql<Record<string, object[]>>`
    select (select json_agg(r order by id) from reconciliation r) as runs,
      (select json_agg(e order by trans_sn, occurrence) from wallet_entry e) as entries,
      (select json_agg(b order by id) from reconciliation_break b) as breaks`.execute(t.db);
  return rows[0];
}

/** Ends the sessions that hold a session lock between two statements, as a crash does. */
async function endReaders(): Promise<void> {
  await sql`
    select pg_terminate_backend(l.pid) from pg_locks l
    join pg_database d on d.oid = l.database and d.datname = current_database()
    where l.locktype = 'advisory' and l.pid <> pg_backend_pid()`.execute(t.db);
  await sleep(100);
}

const EACH = Object.fromEntries(BREAK_KINDS.map((kind) => [kind, PLANTED]));

describe("a reconciliation", () => {
  test("finds each of 100 planted breaks, once, however often it is made", async () => {
    expect(await breaksOf(statement(planted()))).toBe(100);
    expect(await kinds()).toEqual(EACH);
    expect(await breaksOf(statement(planted()))).toBe(100);
    expect(await kinds({})).toEqual(EACH);
    const stored = JSON.stringify(await kept());
    expect(stored).not.toContain(JSON.stringify(player.player_id));
    const ids = (await withNames(t.db, await openBreaks("wrong_player"))).map((row) => [
      row.our_player_id,
      row.their_player_id,
    ]);
    expect(ids).toEqual(ids.map(() => [player.player_id, "somebody else"]));
  });

  test("resolves what a later statement no longer shows", async () => {
    await reconcile(t.db, TEST_ACTOR, statement(planted()));
    expect(await breaksOf(sound())).toBe(0);
    expect(await kinds()).toEqual({});
    const rows = await selectBreaks(t.db, { open: 0 }, { page: 1, size: 1000 });
    expect(new Set(rows.map((row) => row.end_kind))).toEqual(new Set(["resolved"]));
    expect(await selectBreaks(t.db, { open: 0 }, { page: 2, size: 99 })).toEqual(rows.slice(99));
    const runs = async (page: number) =>
      (await selectReconciliations(t.db, { page, size: 1 })).rows.map((row) => row.breaks);
    expect([await runs(1), await runs(2), await runs(3)]).toEqual([[0], [100], []]);
  });

  test("reports nothing as missing that the wallet may have paid outside its span", async () => {
    // Sent before the span: the wallet may have paid it then.
    await sql`update payout_attempt set started_at = now() - interval '3 hours'`.execute(t.db);
    expect(await breaksOf(statement([]))).toBe(0);
    // An earlier statement of the remaining time does not list it either.
    const earlier = { ...statement([], 5), to_at: new Date(now.getTime() - HOUR) };
    await reconcile(t.db, TEST_ACTOR, earlier);
    expect(await breaksOf(statement([]))).toBe(PAID);
  });

  test("reports nothing as missing that was paid after an earlier statement was fetched", async () => {
    // A statement of the whole time, fetched before the payouts were sent.
    await reconcile(t.db, TEST_ACTOR, statement([], 5));
    await sql`update reconciliation set made_at = ${new Date(now.getTime() - HOUR)}`.execute(t.db);
    // Another one, fetched now, whose span ends just after the sending.
    const short = { ...statement([], 1), to_at: new Date(now.getTime() - HOUR / 2 + 1_000) };
    await sql`delete from reconciliation_break`.execute(t.db);
    expect(await breaksOf(short)).toBe(0);
    expect(await breaksOf(statement([]))).toBe(PAID);
  });

  test("finds a payment listed by statements of two days, until one drops it", async () => {
    const long_ago = new Date(now.getTime() - 3 * HOUR);
    const twice = paid.slice(0, 1).map((one) => entryOf(one, { paid_at: long_ago }));
    const day1 = { ...statement(twice, 5), to_at: new Date(now.getTime() - HOUR) };
    const day2 = sound();
    expect([await breaksOf(day1), await breaksOf(day2)]).toEqual([0, 1]);
    // Reading either day again, or both at once, keeps the one difference.
    const both = { ...day2, from_at: day1.from_at, pages: [...day2.pages, ...day1.pages] };
    for (const again of [day1, day2, day2, both, day1]) {
      expect(await breaksOf(again)).toBe(1);
      expect(await kinds({})).toEqual({ extra: 1 });
    }
    // The wallet lists its payment at last.
    expect(await breaksOf({ ...day1, pages: [] })).toBe(0);
    expect(await kinds()).toEqual({});
    await reconcile(t.db, TEST_ACTOR, day1);
    const ids = (await openBreaks()).map((row) => row.id);
    await mend(ids, "accepted", "goodwill");
    expect([await breaksOf(day2), await breaksOf(day1), await breaksOf(both)]).toEqual([0, 0, 0]);
  });

  test.each([
    ["the wallet fails", /is gone/, async () => await Promise.reject(new Error("it is gone"))],
    ["the database is lost", /terminat|not queryable/, endReaders],
  ])("that breaks off changes nothing: %s", async (_, told, breakOff) => {
    await reconcile(t.db, TEST_ACTOR, statement(planted()));
    const before = await kept();
    async function* pages() {
      yield paid.map((one) => entryOf(one, { amount_cents: 1 }));
      await breakOff();
      yield [];
      yield paid.map((one) => entryOf(one));
    }
    const broken = { ...statement([]), pages: pages() };
    await expect(reconcile(t.db, TEST_ACTOR, broken)).rejects.toThrow(told);
    expect(await kept()).toEqual(before);
    expect(await breaksOf(sound())).toBe(0);
  });

  test.each([
    ["100 ms apart", [0, 100]],
    ["four at once", [0, 0, 0, 0]],
  ])("is made alone: %s", async (_, starts) => {
    async function* slowly() {
      for (let at = 0; at < paid.length; at += 50) {
        await sleep(20);
        yield paid.slice(at, at + 50).map((one) => entryOf(one));
      }
    }
    const outcomes = await Promise.all(
      starts.map(async (ms) => {
        await sleep(ms);
        return await outcomeOf(reconcile(t.db, TEST_ACTOR, { ...statement([]), pages: slowly() }));
      }),
    );
    const told = outcomes.map((one) => (one instanceof AppError ? one.key : one.breaks));
    const refused = starts.slice(1).map(() => "reconciliation_runs");
    expect(told.filter((one) => one !== 0)).toEqual(refused);
    const { rows } = await selectReconciliations(t.db, { page: 1, size: 20 });
    expect(rows).toMatchObject([{ statement_count: PAID, matched: PAID, breaks: 0 }]);
  });
});

test("refuses console, upload and redctl a second one while it runs", async () => {
  const body = { from: "2024-03-01 00:00:00", to: "2024-03-31 23:59:59" };
  const bytes = "trans_sn,amount,player_id,paid_at\nstray,1.00,p1,2024-03-02T00:00:00Z\n";
  const uploading = async () =>
    await upload(a, reconciliationRoutes.upload, { bytes, filename: "s.csv", fields: body });
  const wallet = { url: "http://127.0.0.1:9", key: "wk_test", secret: "a secret" };
  async function* pages() {
    const told = { code: 409, msg: "另一次对账正在进行，请在其结束后重试" };
    expect(await a.call(reconciliationRoutes.run, { body })).toMatchObject(told);
    expect(await uploading()).toMatchObject(told);
    expect(await redctl(() => configOf(t, { wallet }), "reconcile")).toEqual({
      code: 1,
      out: "",
      err: "redctl: Another reconciliation is running: try again when it has finished\n",
    });
    yield [];
  }
  await reconcile(t.db, TEST_ACTOR, { ...statement([]), pages: pages() });
  expect(await uploading()).toMatchObject({ code: 200, data: { breaks: 1 } });
});

describe("a mend", () => {
  test("adopts payments in few SQL statements, with an audit row for each", async () => {
    let statements = 0;
    const { db } = watched(t, () => (statements += 1));
    // Also after a refusal: an operator has checked it.
    await sql`update payout set state = 'refused', fail_reason = 'no'
      where log_id = ${open[0]?.log_id}`.execute(t.db);
    await reconcile(t.db, TEST_ACTOR, statement(planted()));
    const ids = (await openBreaks()).map((row) => row.id);
    const mended = await mend(ids, "adopted", "statement of today", db);
    expect(mended.ended).toHaveLength(PLANTED);
    expect(statements).toBeLessThan(PLANTED);
    expect(new Set(mended.refused.map((one) => one.key))).toEqual(new Set(["break_not_adoptable"]));
    expect(await rowsOf(t.db, "payout", { state: "paid" })).toHaveLength(PAID + PLANTED);
    expect(await rowsOf(t.db, "payout", { state: "unknown" })).toHaveLength(OPEN - PLANTED);
    const { log_id = 0, trans_sn = "" } = open[0] ?? {};
    const [heard] = await rowsOf(t.db, "payout_attempt", { log_id });
    expect(JSON.parse(heard?.answer ?? "")).toMatchObject({ trans_sn, amount: "8.88" });
    const audits = await auditsOf(t.db, ["before", "after"], { action: "mend_break" });
    const reason = "statement of today";
    const own = audits.filter(({ after }) => JSON.stringify(after).includes(reason));
    expect(own).toHaveLength(PLANTED);
    expect(own[0]).toMatchObject({
      before: { kind: "stale_status", our_state: expect.any(String) },
      after: { end: "adopted", our_state: "paid" },
    });
    expect(await breaksOf(statement(planted()))).toBe(4 * PLANTED);
  });

  test("locks payouts in id order, as a settlement does", async () => {
    await reconcile(t.db, TEST_ACTOR, statement(planted()));
    const rows = await openBreaks("stale_status");
    const [first, last] = rows.toSorted((x, y) => Number(x.log_id) - Number(y.log_id));
    const settling = await t.db.startTransaction().execute();
    await lockPayouts(settling, [first?.log_id ?? 0]);
    const mending = mend([last?.id ?? 0, first?.id ?? 0], "adopted", "as the wallet says");
    await untilWaiting(t.db);
    await lockPayouts(settling, [last?.log_id ?? 0]);
    await settling.commit().execute();
    expect((await mending).ended).toHaveLength(2);
  });

  test("that accepts a break with a reason ends it for good, once", async () => {
    await reconcile(t.db, TEST_ACTOR, statement(planted()));
    const ids = (await openBreaks("extra")).map((row) => row.id);
    const accept = () => mend(ids, "accepted", "goodwill");
    expect((await accept()).ended).toEqual(ids);
    const audits = await auditsOf(t.db, ["after"], { action: "mend_break" });
    expect(audits).toContainEqual({ after: { end: "accepted", reason: "goodwill" } });
    expect((await accept()).refused.map((one) => one.key)).toEqual(ids.map(() => "break_ended"));
    expect(await breaksOf(statement(planted()))).toBe(4 * PLANTED);
    expect(await kinds()).not.toHaveProperty("extra");
  });
});
