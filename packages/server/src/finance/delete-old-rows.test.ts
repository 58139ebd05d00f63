import { verify } from "#evidence/verify";
import { inTransaction } from "#platform/connection";
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
const go = new AbortController().signal;
const KEPT = { requests: null, attempts: null, entries: null };

test("entries of a signed round go, its sheet stays, and a second payment is still found", async () => {
  const ago = (days: number) => new Date(Date.now() - days * DAY);
  const round = await makeRound(t.db, { start_time: ago(202), end_time: ago(200) });
  const player = await makePlayer(t.db);
  const at = ago(201);
  const paid = { state: "paid", created_at: at, payout: { paid_at: at } } as const;
  const records = await makeRecords(t.db, round, player, [paid, paid]);
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
  const clean = async (days: number) =>
    (await deleteOldRows({ ...KEPT, entries: days }, ZONE)(t.db, go)).entries;
  expect(await clean(90)).toBe(0);
  const { hash, figures } = await read();
  await inTransaction(t.db, (tx) =>
    insertSignOff(tx, round.rounds_id, { signed_by: "op", hash, figures, note: null }),
  );
  expect(await clean(201)).toBe(0);
  await t.sql`update wallet_entry set paid_at = ${ago(199)} where trans_sn = ${records[0]?.trans_sn}`;
  expect([await clean(200), await clean(199)]).toEqual([0, 2]);
  expect(await read()).toMatchObject({ hash, not_ready: null });
  // The same statement again: nothing is missing, nothing is listed twice.
  expect(await state(ago(203), at)).toEqual([]);
  expect((await read()).hash).toBe(hash);
  expect(await state(ago(3), ago(2))).toEqual(["extra", "extra"]);
});

test("requests and attempts of rounds that ended go, of done payouts only, and verify holds", async () => {
  await sql`truncate activity, pool, player, draw_record, payout cascade`.execute(t.db);
  await makeHealthyPromotion(t.db);
  // Its rounds last for decades: as if they had ended.
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
