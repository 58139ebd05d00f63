import { verify } from "#evidence/verify";
import { inTransaction } from "#platform/db/connection";
import { deleteOldRows } from "./delete-old-rows.ts";
import { reconcile } from "./reconcile.ts";
import { selectBreaks } from "./reconciliation-sql.ts";
import { insertSignOff } from "./sheet-sql.ts";
import { readSheet } from "./sign-sheet.ts";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { makeHealthyPromotion } from "#test/healthy-promotion";
import { TEST_ACTOR } from "#test/operator-factory";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, test } from "vitest";

const t = useTestDb();
const DAY = 86_400_000;
const ZONE = "Asia/Shanghai";
const ago = (days: number) => new Date(Date.now() - days * DAY);
const go = new AbortController().signal;
const KEPT = { requests: null, attempts: null, entries: null };

test("entries of a signed round are deleted, its sheet stays, and a second payment is still found", async () => {
  const round = await makeRound(t.db, { start_time: ago(202), end_time: ago(200) });
  const player = await makePlayer(t.db);
  const at = ago(201);
  const paid = { state: "paid", created_at: at, payout: { paid_at: at } } as const;
  const records = await makeRecords(t.db, round, player, [paid, paid]);
  // A record of another round, drawn before these records. Its wallet entry is from today.
  const [other] = await makeRecords(t.db, await makeRound(t.db), player, [
    { ...paid, created_at: ago(202) },
  ]);
  await t.sql`insert into wallet_entry (trans_sn, occurrence, amount_cents, player_id, paid_at)
    values (${other?.trans_sn}, 1, 888, 'p', now())`;
  const state = async (from: Date, paid_at: Date) => {
    const entries = records.map(({ trans_sn }) => {
      const { player_id } = player;
      return { trans_sn, amount_cents: 888, player_id, paid_at, wallet_ref: null };
    });
    const span = { from_at: from, to_at: new Date(paid_at.getTime() + DAY), file_name: null };
    await reconcile(t.db, TEST_ACTOR, { ...span, pages: [entries] });
    return (await selectBreaks(t.db, { open: 1 }, { page: 1, size: 9 })).map(({ kind }) => kind);
  };
  expect(await state(ago(203), at)).toEqual([]);
  const read = async () => await readSheet(t.db, round.rounds_id, ZONE);
  const clean = async (days: number, signal = go) =>
    (await deleteOldRows({ ...KEPT, entries: days }, ZONE)(t.db, signal)).entries;
  expect(await clean(90)).toBe(0);
  const { hash, figures } = await read();
  const sign = (of: string) =>
    inTransaction(t.db, (tx) =>
      insertSignOff(tx, round.rounds_id, { signed_by: "op", hash: of, figures, note: null }),
    );
  await sign(hash);
  expect(await clean(201)).toBe(0);
  await t.sql`update wallet_entry set paid_at = ${ago(199)} where trans_sn = ${records[0]?.trans_sn}`;
  expect(await clean(200)).toBe(0);
  await sign("of other figures");
  expect(await clean(199)).toBe(0);
  await sign(hash);
  expect([await clean(199, AbortSignal.abort()), await clean(199)]).toEqual([0, 2]);
  expect(await read()).toMatchObject({ hash, not_ready: null });
  // After the same statement is read again, nothing is missing and nothing is listed twice.
  expect(await state(ago(203), at)).toEqual([]);
  expect((await read()).hash).toBe(hash);
  expect(await state(ago(3), ago(2))).toEqual(["extra", "extra"]);
});

test("requests and attempts of ended rounds are deleted, only of done payouts, and verify passes", async () => {
  await sql`truncate activity, pool, player, draw_record, payout cascade`.execute(t.db);
  await makeHealthyPromotion(t.db);
  // The rounds of this test last for decades, so a negative number of days treats them as ended.
  const ended = { ...KEPT, requests: -36_500, attempts: -36_500 };
  expect(await deleteOldRows({ ...KEPT, requests: 30, attempts: 30 }, ZONE)(t.db, go)).toEqual({
    requests: 0,
    attempts: 0,
    entries: 0,
  });
  const deleted = await deleteOldRows(ended, ZONE)(t.db, go);
  expect(Math.min(deleted.requests, deleted.attempts)).toBeGreaterThan(0);
  const { rows } = await sql<{ requests: number; done: number; others: number }>`
    select (select count(*) from draw_request) as requests,
      count(*) filter (where p.state in ('paid', 'delivered')) as done,
      count(*) filter (where p.state not in ('paid', 'delivered')) as others
    from payout_attempt a join payout p on p.log_id = a.log_id`.execute(t.db);
  expect(rows).toEqual([{ requests: 0, done: 0, others: expect.any(Number) }]);
  expect(rows[0]?.others).toBeGreaterThan(0);
  expect((await verify(t.db)).checks.filter(({ offence }) => offence !== null)).toEqual([]);
  expect(await deleteOldRows(ended, ZONE)(t.db, go)).toMatchObject({ requests: 0, attempts: 0 });
});

test("counts the days since the round's end, for attempts also since the payment", async () => {
  await sql`truncate activity, pool, player, draw_record, payout cascade`.execute(t.db);
  const player = await makePlayer(t.db);
  for (const [end, paid, count] of [
    [29, 31, 1],
    // More records than one batch deletes.
    [31, 31, 1_001],
    [31, 29, 1],
  ] as const) {
    const round = await makeRound(t.db, { start_time: ago(50), end_time: ago(end) });
    const one = { state: "paid", created_at: ago(45), payout: { paid_at: ago(paid) } } as const;
    await makeRecords(t.db, round, player, Array<typeof one>(count).fill(one));
  }
  await t.sql`insert into payout_attempt (log_id, no, kind) select log_id, 1, 'pay' from payout`;
  await t.sql`insert into draw_request (key, request_id, body_hash, log_id, rounds_id)
    select 'k', log_id, '', log_id, rounds_id from payout`;
  const deleted = await deleteOldRows({ ...KEPT, requests: 30, attempts: 30 }, ZONE)(t.db, go);
  expect(deleted).toEqual({ requests: 1_002, attempts: 1_001, entries: 0 });
});
