/**
 * Twenty sessions re-issue overlapping batches over HTTP at the same moment, while the wallet pays and answers
 * 500. The wallet's ledger must contain one credit per payout, and no request may fail with an error. Runs only
 * with `npm run prove -- reissue`.
 */
import { recordRoutes } from "@red/contract/records/record";
import { openSession } from "#test/contract-world";
import { makeOperator } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import { ledgerOf, makeMany, moneyFaults, statesOf } from "#test/payout-factory";
import { useProduct } from "#test/product";
import { useTestDb } from "#test/test-db";
import { leapingClock } from "#test/time-leap";
import { expect, test } from "vitest";

const PRESSES = Number(process.env["PROVE_N"]);
const SESSIONS = 20;
const PAYOUTS = 40;
/** Records per request. Each batch starts at another record, so any two batches share many records. */
const BATCH = 25;

const t = useTestDb();
const wallet = useFaultWallet();
const product = useProduct(t, wallet);

async function openSessions(): Promise<string[]> {
  const names = Array.from({ length: SESSIONS }, (_, at) => `op-${at}`);
  await Promise.all(names.map((name) => makeOperator(t.db, name)));
  return await Promise.all(names.map((name) => openSession(t.db, name)));
}

test("pressed by twenty sessions at once while the wallet pays and answers 500: one credit each", async () => {
  const tokens = await openSessions();
  await wallet.control({ mode: "refuse" });
  const made = await makeMany(t.db, PAYOUTS);
  const clock = leapingClock(t.db, (ms) => wallet.leap(ms));
  const areAll = (state: string) => async () =>
    (await statesOf(t.db, made)).every((one) => one === state);
  await clock.passUntil("all refused", areAll("refused"), 60_000);

  await wallet.control({ mode: "pay_then_500", first: 1 });
  const answers = await Promise.all(
    Array.from({ length: PRESSES }, (_, press) => {
      const log_ids = Array.from(
        { length: BATCH },
        (_one, index) => made[(press * 7 + index) % PAYOUTS]?.log_id ?? 0,
      );
      const token = tokens[press % SESSIONS];
      return product.call(recordRoutes.reissue, { body: { log_ids } }, token);
    }),
  );
  await clock.passUntil("all paid", areAll("paid"), 120_000);

  const { credits } = await ledgerOf(wallet, made);
  const credited = new Set(credits.map(({ trans_sn }) => trans_sn));
  const rows = await t.sql<{ by: string; count: number }>`
    select operator as by, count(*) as count from payout_attempt
    where operator is not null group by operator`;
  const audits = await t.sql<{ count: number }>`
    select count(*) as count from audit_log where action = 'reissue_records'`;
  const told = {
    presses: answers.length,
    sessions: SESSIONS,
    payouts: PAYOUTS,
    answers_5xx: answers.filter(({ status, envelope }) => status >= 500 || envelope.code >= 500)
      .length,
    reissued: answers.reduce(
      // The cast is safe: the route's own tests check this response.
      (sum, { envelope }) => sum + ((envelope.data as { reissued: number }).reissued ?? 0),
      0,
    ),
    attempts_by_operators: rows.reduce((sum, { count }) => sum + count, 0),
    audited: audits[0]?.count ?? 0,
    credits: credits.length,
    paid_twice: credits.length - credited.size,
    unpaid: made.length - credited.size,
  };
  process.stdout.write(`${JSON.stringify(told)}\n`);
  expect(told).toEqual({
    presses: PRESSES,
    sessions: SESSIONS,
    payouts: PAYOUTS,
    answers_5xx: 0,
    reissued: PAYOUTS,
    attempts_by_operators: PAYOUTS,
    audited: PRESSES,
    credits: PAYOUTS,
    paid_twice: 0,
    unpaid: 0,
  });
  expect([200, 409]).toEqual(
    expect.arrayContaining([...new Set(answers.map((one) => one.envelope.code))]),
  );
  expect(await moneyFaults(t.db, await wallet.ledger(), made)).toEqual([]);
});
