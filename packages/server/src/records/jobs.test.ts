/**
 * Re-issues with a wallet that gives wrong answers, a server killed (SIGKILL) in the middle, and a
 * retry. The job must show the outcomes.
 */
import { jobRoutes } from "@red/contract/records/job";
import { recordRoutes } from "@red/contract/records/record";
import type { Data } from "@red/contract/platform/route";
import { useFaultWallet } from "#test/fault-wallet";
import { ledgerOf, makeMany, moneyFaults, untilStates } from "#test/payout-factory";
import { useProduct } from "#test/product";
import { useTestDb } from "#test/test-db";
import { leapingClock } from "#test/time-leap";
import { expect, test } from "vitest";

const PAYOUTS = Number(process.env["PROVE_N"] ?? 100);

const t = useTestDb();
const wallet = useFaultWallet();
const product = useProduct(t, wallet);

async function ended() {
  const list = async () =>
    (await product.call(jobRoutes.list, { query: {} })).envelope.data as Data<
      typeof jobRoutes.list
    >;
  const isEnded = async () => (await list()).content.every(({ status }) => status === "done");
  const clock = leapingClock(t.db, (ms) => wallet.leap(ms));
  await clock.passUntil("the jobs ended", isEnded, 600_000);
  return await list();
}

test("a job goes on after a kill, and its figures are those of the wallet's ledger", async () => {
  const refuse = { mode: "refuse", reason: "account closed" };
  await wallet.control(refuse);
  const made = await makeMany(t.db, PAYOUTS);
  await untilStates(t.db, made, "refused");
  // Until the kill, the wallet pays some payouts and answers 500; then it refuses some of the others.
  await wallet.control({ mode: "pay_then_500", odds: 0.5 });
  const death = product.dieAt("answers_written 1");
  const body = { log_ids: made.map(({ log_id }) => log_id) };
  await product.call(recordRoutes.reissue, { body }).catch(() => null);
  await death;
  await wallet.control({ ...refuse, odds: 0.4 });
  await t.sql`update payout set lease_until = now() where state = 'sending'`;
  const job = (await ended()).content[0];
  const { credits } = await ledgerOf(wallet, made);
  const paid = new Set(credits.map(({ trans_sn }) => trans_sn)).size;
  const refused = PAYOUTS - paid;
  const counts = Object.entries({ paid, refused });
  const outcomes = counts.map(([outcome, count]) => ({ outcome, count }));
  const figures = { kind: "reissue", total: PAYOUTS, done: PAYOUTS, outcomes };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  const reasons = [{ reason: "account closed", count: refused }];
  expect(job).toMatchObject({ ...figures, reasons, retryable: refused, seen: false });
  const params = { id: job?.id ?? 0 };
  const rows = await product.call(jobRoutes.rows, { params, query: { outcome: "refused" } });
  expect(rows.envelope.data).toMatchObject({ total: refused });

  // A retry takes the refused payouts; the first job keeps its outcomes.
  await wallet.control({ mode: "pay" });
  const again = await product.call(jobRoutes.retry, { params });
  expect(again.envelope.data).toMatchObject({ taken: refused, refused: [] });
  expect(await ended()).toMatchObject({
    content: [{ outcomes: [{ outcome: "paid", count: refused }] }, { outcomes, retryable: 0 }],
    unseen: 2,
  });
  const seen = await product.call(jobRoutes.seen, { body: { ids: [params.id] } });
  expect(seen.envelope.data).toEqual({ unseen: 1 });
  const none = await product.call(jobRoutes.retry, { params });
  expect(none.envelope).toMatchObject({ key: "job_nothing_failed" });
  expect(await moneyFaults(t.db, await wallet.ledger(), made)).toEqual([]);
}, 900_000);
