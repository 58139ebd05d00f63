/** Reconciliation finds every planted break of each kind in a statement, and nothing else. */
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@red/contract/platform/errors";
import type { BreakKind } from "@red/contract/finance/reconciliation";
import { BREAK_KINDS, reconciliationRoutes } from "@red/contract/finance/reconciliation";
import { mendBreaks } from "./mend-breaks.ts";
import { reconcile } from "./reconcile.ts";
import type { Statement } from "./reconcile.ts";
import { inTransaction } from "#platform/db/connection";
import { withNames } from "#platform/player-names";
import { lockPayouts } from "#payouts/payout-sql";
import { buildApp } from "#app";
import { selectBreaks, selectReconciliations } from "./reconciliation-sql.ts";
import type { StatementEntry } from "./reconciliation-sql.ts";
import { configOf, redctl } from "#test/redctl";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer, MadeRecord } from "#test/factories";
import { TEST_ACTOR } from "#test/operator-factory";
import { outcomeOf, untilWaiting } from "#test/races";
import { auditsOf, changeRows, rowOf, rowsOf } from "#test/rows";
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

/** Returns a statement from `before` hours ago until one hour from now, in pages as a wallet sends them. */
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

/** Returns a statement with all payments as we have them. */
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

/** Returns all payments, with twenty breaks of each kind. */
function planted(): StatementEntry[] {
  const [wrongAmount, wrongPlayer, twice] = [20, 40, 60];
  // The first twenty payments are missing.
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
    ...open.slice(0, PLANTED).map((one) => entryOf(one, { wallet_ref: "w-1" })),
  ];
}

async function kept() {
  const { rows } = await sql<Record<string, object[]>>`
    select (select json_agg(r order by id) from reconciliation r) as runs,
      (select json_agg(e order by trans_sn, occurrence) from wallet_entry e) as entries,
      (select json_agg(b order by id) from reconciliation_break b) as breaks`.execute(t.db);
  return rows[0];
}

/** Ends the database sessions that hold a session lock between two statements, as a crash does. */
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
    const { sums, total } = await a.read(reconciliationRoutes.breaks, { query: { size: 1 } });
    const amountOf = (kind: BreakKind) => (kind === "wrong_amount" ? "177.80" : "177.60");
    const each = BREAK_KINDS.toSorted().map((kind) => ({
      kind,
      count: PLANTED,
      amount: amountOf(kind),
    }));
    expect([total, sums]).toEqual([100, each]);
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
    const { id, breaks } = await reconcile(t.db, TEST_ACTOR, sound());
    expect([breaks, await kinds()]).toEqual([0, {}]);
    const rows = await selectBreaks(t.db, { open: 0 }, { page: 1, size: 1000 });
    const ends = rows.map((row) => `${row.end_kind} by ${row.ended_by}: ${row.reason}`);
    expect(new Set(ends)).toEqual(new Set([`resolved by test: reconciliation ${id}`]));
    expect(await selectBreaks(t.db, { open: 0 }, { page: 2, size: 99 })).toEqual(rows.slice(99));
    const runs = async (page: number) =>
      (await selectReconciliations(t.db, { page, size: 1 })).rows.map((row) => row.breaks);
    expect([await runs(1), await runs(2), await runs(3)]).toEqual([[0], [100], []]);
  });

  test("reports nothing as missing that the wallet may have paid outside its span", async () => {
    // The payout was sent before the start of the statement, so the wallet may have paid it then.
    await sql`update payout_attempt set started_at = now() - interval '3 hours'`.execute(t.db);
    expect(await breaksOf(statement([]))).toBe(0);
    // An earlier statement, which covers the remaining time, does not list the payout either.
    const earlier = { ...statement([], 5), to_at: new Date(now.getTime() - HOUR) };
    await reconcile(t.db, TEST_ACTOR, earlier);
    expect(await breaksOf(statement([]))).toBe(PAID);
  });

  test.each([
    ["five minutes before the sending and after the payment", -300_000, 300_000, PAID],
    ["less before", -299_999, 300_000, 0],
    ["less after", -300_000, 299_999, 0],
  ])("with %s in its span finds what is missing, or not: %d %d", async (_, from, to, found) => {
    const at = (ms: number) => new Date(now.getTime() - HOUR / 2 + ms);
    expect(await breaksOf({ ...statement([]), from_at: at(from), to_at: at(to) })).toBe(found);
  });

  test("an earlier one says nothing of the last five minutes before it was fetched", async () => {
    await sql`update payout_attempt set started_at = now() - interval '2 hours'`.execute(t.db);
    await reconcile(t.db, TEST_ACTOR, statement([], 5));
    const fetched = now.getTime() - HOUR;
    await sql`update reconciliation set made_at = ${new Date(fetched)}`.execute(t.db);
    await sql`delete from reconciliation_break`.execute(t.db);
    const from = (ms: number) => ({ ...statement([]), from_at: new Date(fetched - 300_000 + ms) });
    expect([await breaksOf(from(1)), await breaksOf(from(0))]).toEqual([0, PAID]);
  });

  test("takes the entries of its span, a number's in the order of payment", async () => {
    const { from_at, to_at } = statement([]);
    const at = (instant: Date, ms: number) => ({ paid_at: new Date(instant.getTime() + ms) });
    const times = [at(from_at, -1), at(from_at, 0), at(to_at, -1), at(to_at, 0)];
    const strays = times.map((one, no) => entryOf({ log_id: 0, trans_sn: `stray ${no}` }, one));
    await reconcile(t.db, TEST_ACTOR, statement(strays));
    const entries = await rowsOf(t.db, "wallet_entry");
    expect(entries.map(({ trans_sn }) => trans_sn).toSorted()).toEqual(["stray 1", "stray 2"]);
    const [first = entryOf({ log_id: 0, trans_sn: "" }), ...rest] = paid.map((one) => entryOf(one));
    const again = { ...first, amount_cents: 889 };
    const later = { ...again, ...at(first.paid_at, 1) };
    expect(await breaksOf(statement([later, first, ...rest, again]))).toBe(2);
    expect(await kinds()).toEqual({ extra: 2 });
  });

  test("does not bring an erased player back", async () => {
    await t.sql`update player set player_id = 'gone', user_name = 'gone', blocked = true,
      blocked_at = now(), erased_at = now() where player_key = ${player.player_key}`;
    expect(await breaksOf(statement(paid.map((one) => entryOf(one, { wallet_ref: "w" }))))).toBe(0);
    expect(await rowsOf(t.db, "wallet_entry", { wallet_ref: "w" })).toEqual([]);
  });

  test("stores a reference for a player named by account or by an id in capitals", async () => {
    await t.sql`update player set user_name = 'Now-1x' where player_key = ${player.player_key}`;
    const other = await makePlayer(t.db);
    const theirs = [other.user_name, other.player_id.toUpperCase()];
    const ids = [player.player_id.toUpperCase(), player.user_name, "Now-1x", ...theirs];
    const named = paid.map((one, at) => entryOf(one, { player_id: ids[at] ?? player.player_id }));
    expect(await breaksOf(statement(named))).toBe(5);
    const breaks = await openBreaks("wrong_player");
    const shown = (await withNames(t.db, breaks)).map((row) => row.their_player_id);
    expect(new Set(shown)).toEqual(new Set(ids));
    expect(breaks.every((row) => row.their_player_id?.startsWith("\uE000"))).toBe(true);
  });

  test("shows both sides of an open break as they are now", async () => {
    const { log_id = 0 } = paid[0] ?? {};
    const listing = (more: Partial<StatementEntry>) =>
      statement(paid.map((one, at) => entryOf(one, at === 0 ? more : {})));
    expect(await breaksOf(listing({ amount_cents: 889 }))).toBe(1);
    const refused = { state: "refused", fail_reason: "no", paid_at: null } as const;
    await changeRows(t.db, "payout", { log_id }, { ...refused, amount_cents: 887 });
    const theirs = { amount_cents: 890, player_id: "other", paid_at: now };
    const { id } = await reconcile(t.db, TEST_ACTOR, listing(theirs));
    const ours = { reconciliation_id: id, log_id, our_state: "refused", our_amount_cents: 887 };
    const shown = { their_amount_cents: 890, their_player_id: "other", their_paid_at: now };
    expect(await openBreaks()).toMatchObject([{ kind: "wrong_amount", ...ours, ...shown }]);
  });

  test("finds a payment listed by statements of two days, until one drops it", async () => {
    const long_ago = new Date(now.getTime() - 3 * HOUR);
    const twice = paid.slice(0, 1).map((one) => entryOf(one, { paid_at: long_ago }));
    const day1 = { ...statement(twice, 5), to_at: new Date(now.getTime() - HOUR) };
    const day2 = sound();
    expect([await breaksOf(day1), await breaksOf(day2)]).toEqual([0, 1]);
    // Reading one day again, or both days at once, keeps the one difference.
    const both = { ...day2, from_at: day1.from_at, pages: [...day2.pages, ...day1.pages] };
    for (const again of [day1, day2, day2, both, day1]) {
      expect(await breaksOf(again)).toBe(1);
      expect(await kinds({})).toEqual({ extra: 1 });
    }
    // Now the wallet lists its payment.
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
  ])("that fails changes nothing: %s", async (_, told, breakOff) => {
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
  ])("runs alone: %s", async (_, starts) => {
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

const body = { from: "2024-03-01 00:00:00", to: "2024-03-31 23:59:59" };

test("a running reconciliation refuses console, upload and redctl a second one", async () => {
  const bytes = "trans_sn,amount,player_id,paid_at\nstray,1.00,p1,2024-03-02T00:00:00Z\n";
  const filename = `${"s".repeat(250)}.csv`;
  const uploading = async () =>
    await upload(a, reconciliationRoutes.upload, { bytes, filename, fields: body });
  const wallet = { url: "http://127.0.0.1:9", key: "wk_test", secret: "a secret" };
  let reading = now;
  async function* pages() {
    reading = new Date();
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
  const { made_at } = await rowOf(t.db, "reconciliation");
  expect(made_at.getTime()).toBeLessThanOrEqual(reading.getTime());
  expect(await uploading()).toMatchObject({ code: 200, data: { breaks: 1 } });
  const file_name = "s".repeat(200);
  const list = async () => await a.read(reconciliationRoutes.list, { query: { size: 1 } });
  const { total, content } = await list();
  const by = { source: "file", file_name, made_by: "root-op", made_at: expect.any(String) };
  const counts = { statement_count: 1, statement_amount: "1.00", matched: 0, breaks: 1, open: 1 };
  const made = { id: expect.any(Number), ...body, ...by, ...counts };
  expect([total, content]).toEqual([2, [made]]);
  const audits = await auditsOf(t.db, ["after"], { action: "reconcile" });
  expect(audits.at(-1)?.after).toMatchObject({ file_name, breaks: 1 });

  const { id: reconciliation_id = 0 } = content[0] ?? {};
  const breaks = async (id: number) =>
    (await a.read(reconciliationRoutes.breaks, { query: { reconciliation_id: id } })).content;
  const [found] = await breaks(reconciliation_id);
  const named = { id: expect.any(Number), reconciliation_id, kind: "extra", trans_sn: "stray" };
  const ours = { rounds_id: null, our_state: null, our_amount: null, our_player_id: null };
  const at = { their_player_id: "p1", their_paid_at: "2024-03-02 08:00:00" };
  const stray = { ...named, log_id: null, ...ours, their_amount: "1.00", ...at };
  expect(found).toEqual({ ...stray, end: null, ended_by: null, ended_at: null, reason: null });
  expect(await breaks(reconciliation_id + 1)).toEqual([]);
  const ids = [found?.id ?? 0, 77, found?.id ?? 0];
  const ending = async (end: "adopted" | "accepted") =>
    await a.call(reconciliationRoutes.mend, { body: { ids, end, reason: "goodwill" } });
  const unknown = { id: 77, reason: "差异不存在" };
  const other = { id: ids[0], reason: "只有钱包已发放的差异可以采纳" };
  const none = { code: 409, data: { ended: 0, refused: [other, unknown] } };
  expect(await ending("adopted")).toMatchObject(none);
  const one = { code: 200, msg: "处理成功", data: { ended: 1, refused: [unknown] } };
  expect(await ending("accepted")).toMatchObject(one);
  const how = { end: "accepted", ended_by: "root-op", reason: "goodwill" };
  expect(await breaks(reconciliation_id)).toEqual([
    { ...stray, ...how, ended_at: expect.any(String) },
  ]);
  expect((await list()).content).toEqual([{ ...made, open: 0 }]);
});

test("refuses a file with a fault as a whole, and to ask where there is no wallet", async () => {
  const bytes = "trans_sn,amount,player_id,paid_at\nstray,1.001,p1,2024-03-02T00:00:00Z\n";
  const refused = await upload(a, reconciliationRoutes.upload, { bytes, fields: body });
  expect(refused).toMatchObject({ code: 400, data: { errors: [{ row: 2, column: "amount" }] } });
  const { method, path: url } = reconciliationRoutes.run;
  const alone = await buildApp({ ...a.deps, statement: () => null });
  const headers = { token: a.token };
  const answer = await alone.inject({ method, url, headers, payload: body });
  await alone.close();
  expect(answer.json()).toMatchObject({ code: 409, key: "wallet_not_configured" });
  expect(await rowsOf(t.db, "reconciliation")).toEqual([]);
});

describe("a mend", () => {
  test("adopts payments in few SQL statements, with an audit row for each", async () => {
    let statements = 0;
    const { db } = watched(t, () => (statements += 1));
    // A refused payout can be adopted too: an operator has checked the payment.
    await sql`update payout set state = 'refused', fail_reason = 'no'
      where log_id = ${open[0]?.log_id}`.execute(t.db);
    await reconcile(t.db, TEST_ACTOR, statement(planted()));
    // Meanwhile the worker has settled one payout.
    const { log_id: known = 0 } = open[1] ?? {};
    const heardOf = { state: "paid", paid_at: now, unknown_since: null } as const;
    await changeRows(t.db, "payout", { log_id: known }, heardOf);
    const ids = (await openBreaks()).map((row) => row.id);
    const mended = await mend(ids, "adopted", "statement of today", db);
    expect(mended.ended).toHaveLength(PLANTED);
    expect(statements).toBeLessThan(PLANTED);
    expect(new Set(mended.refused.map((one) => one.key))).toEqual(new Set(["break_not_adoptable"]));
    expect(await rowsOf(t.db, "payout", { state: "paid" })).toHaveLength(PAID + PLANTED);
    expect(await rowsOf(t.db, "payout", { state: "unknown" })).toHaveLength(OPEN - PLANTED);
    const { log_id = 0, trans_sn = "" } = open[0] ?? {};
    const [heard] = await rowsOf(t.db, "payout_attempt", { log_id });
    const { paid_at } = entryOf({ log_id, trans_sn });
    const told = { trans_sn, amount: "8.88", paid_at: paid_at.toISOString() };
    expect(JSON.parse(heard?.answer ?? "")).toEqual(told);
    expect(await rowOf(t.db, "payout", { log_id })).toMatchObject({ wallet_ref: "w-1" });
    expect(await rowsOf(t.db, "payout_attempt", { log_id: known })).toEqual([]);
    const audits = await auditsOf(t.db, ["before", "after"], { action: "mend_break" });
    const reason = "statement of today";
    const own = audits.filter(({ after }) => JSON.stringify(after).includes(reason));
    expect(own).toHaveLength(PLANTED);
    const adopted = own.filter(({ after }) => JSON.stringify(after).includes('"our_state"'));
    expect(adopted).toHaveLength(PLANTED - 1);
    expect(adopted.find(({ before }) => JSON.stringify(before).includes("unknown"))).toMatchObject({
      before: { kind: "stale_status", trans_sn: expect.any(String), our_state: "unknown" },
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
    const extras = await openBreaks("extra");
    const ids = extras.map((row) => row.id);
    const accept = () => mend(ids, "accepted", "goodwill");
    expect((await accept()).ended).toEqual(ids);
    const audits = await auditsOf(t.db, ["after"], { action: "mend_break" });
    const { kind, trans_sn } = extras[0] ?? {};
    const after = { kind, trans_sn, end: "accepted", reason: "goodwill" };
    expect(audits).toContainEqual({ after });
    expect((await accept()).refused.map((one) => one.key)).toEqual(ids.map(() => "break_ended"));
    expect(await breaksOf(statement(planted()))).toBe(4 * PLANTED);
    expect(await kinds()).not.toHaveProperty("extra");
    const all = await selectBreaks(t.db, {}, { page: 1, size: 1000 });
    const openFirst = (row: (typeof all)[number]) => (row.end_kind === null ? 0 : 1);
    const ordered = all.toSorted((x, y) => openFirst(x) - openFirst(y) || y.id - x.id);
    expect(all.map(({ id }) => id)).toEqual(ordered.map(({ id }) => id));
  });
});
