import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction } from "#platform/connection";
import { notifyPayoutWorkers } from "#platform/listen";
import { makeRecord } from "#test/factories";
import type { MadeRecord } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  moneyFaults,
  startTestWorker,
  statesOf,
  until,
  untilStates,
  payoutOf,
  makeMany,
  putOffPayouts,
} from "#test/payout-factory";
import { useTestDb } from "#test/test-db";
import { beforeEach, describe, expect, it } from "vitest";

const t = useTestDb();
const wallet = useFaultWallet();

async function callsAbout({ trans_sn }: MadeRecord) {
  const { attempts } = await wallet.ledger();
  return attempts.filter((attempt) => attempt.trans_sn === trans_sn);
}

beforeEach(async () => {
  await wallet.control({ mode: "pay" });
  await putOffPayouts(t.db);
});

describe("a wallet that is well", () => {
  it("is asked once for each payout, and its answer is recorded", async () => {
    const made = await makeMany(t.db, 100, { award_price_cents: 1_205 });
    const worker = await startTestWorker(t, wallet);
    await worker.idle();
    expect(new Set(await statesOf(t.db, made))).toEqual(new Set(["paid"]));
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
    const [first] = made;
    if (first === undefined) {
      throw new Error("nothing was made");
    }
    const payout = await payoutOf(t.db, first);
    expect(payout).toMatchObject({ attempts: 1, lease_until: null, fail_reason: null });
    expect(payout.wallet_ref).toMatch(/^F\d+$/);
    expect(payout.paid_at?.getTime()).toBeGreaterThan(payout.created_at.getTime());
    expect(await callsAbout(first)).toHaveLength(1);
    const attempt = await t.db
      .selectFrom("payout_attempt")
      .selectAll()
      .where("log_id", "=", first.log_id)
      .executeTakeFirstOrThrow();
    expect(attempt).toMatchObject({ no: 1, kind: "pay", outcome: "paid", http_status: 200 });
    expect(attempt.operator).toBeNull();
    expect(attempt.duration_ms).toBeGreaterThanOrEqual(0);
    expect(attempt.answer).toContain(first.trans_sn);
    expect(attempt.request).toMatch(/^POST \/payouts \{.*"amount":"12\.05"/);
  });

  it("is not called for physical prizes, nor for payouts whose time has not come", async () => {
    const physical = await makeRecord(t.db, { award_price_cents: 0 });
    const later = await makeRecord(t.db, { payout: { next_at: new Date(Date.now() + 60_000) } });
    const worker = await startTestWorker(t, wallet);
    await worker.idle();
    expect(await statesOf(t.db, [physical, later])).toEqual(["waiting_delivery", "queued"]);
    expect(await callsAbout(physical)).toEqual([]);
    expect(await callsAbout(later)).toEqual([]);
  });

  it("is called at once after a notification, and in time without one", async () => {
    // Longer than this test: a payment is not found by polling.
    const worker = await startTestWorker(t, wallet, { limits: { pollMs: 600_000 } });
    await worker.idle();
    const announced = await makeRecord(t.db);
    await inTransaction(t.db, (tx) => notifyPayoutWorkers(tx));
    await untilStates(t.db, [announced], "paid");

    const next_at = new Date(Date.now() + 300);
    const soon = await makeRecord(t.db, { payout: { next_at } });
    await inTransaction(t.db, (tx) => notifyPayoutWorkers(tx));
    await untilStates(t.db, [soon], "paid");
    const { started_at } = await t.db
      .selectFrom("payout_attempt")
      .select("started_at")
      .where("log_id", "=", soon.log_id)
      .executeTakeFirstOrThrow();
    expect(started_at.getTime()).toBeGreaterThanOrEqual(next_at.getTime());
  });

  it("has no more calls in flight than the limit", async () => {
    await wallet.control({ mode: "hang" });
    const made = await makeMany(t.db, 12);
    await startTestWorker(t, wallet, { limits: { callsInFlight: 3 } });
    const sending = async () =>
      (await statesOf(t.db, made)).filter((state) => state === "sending").length;
    await until("calls in flight", async () => (await sending()) === 3);
    await sleep(500);
    expect(await sending()).toBe(3);
  });
});

describe("a wallet that refuses", () => {
  it("leaves the payout refused, with its reason, and nothing is sent again", async () => {
    await wallet.control({ mode: "refuse", reason: "账户冻结".repeat(100) });
    const made = await makeMany(t.db, 20);
    const worker = await startTestWorker(t, wallet);
    await worker.idle();
    await sleep(400);
    expect(new Set(await statesOf(t.db, made))).toEqual(new Set(["refused"]));
    for (const one of made) {
      expect(await callsAbout(one)).toHaveLength(1);
      const { fail_reason } = await payoutOf(t.db, one);
      expect(fail_reason).toHaveLength(200);
    }
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });
});

/** Every other way: wallet-modes.test.ts. */
describe("a wallet that goes wrong", () => {
  it("denies for a while what it has paid: sent again under the same number, credited once", async () => {
    const made = await makeMany(t.db, 10);
    await wallet.control({ mode: "not_found_for", times: made.length, seconds: 3_600 });
    await startTestWorker(t, wallet);
    await untilStates(t.db, made, "paid");
    for (const one of made) {
      const calls = await callsAbout(one);
      expect(calls.filter(({ call }) => call === "pay").map(({ credit }) => credit)).toEqual([
        "new",
        "known",
      ]);
    }
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });

  it("is processing, and answers a query with the result", async () => {
    const made = await makeMany(t.db, 10);
    await wallet.control({ mode: "processing", seconds: 3_600, by: "query" });
    await startTestWorker(t, wallet);
    const [first] = made;
    const told = () => attemptsOf(t.db, first?.log_id ?? 0);
    await until("a question", async () => (await told()).length > 2);
    await wallet.leap(3_600_000);
    await untilStates(t.db, made, "paid");
    expect((await told()).slice(0, 2)).toEqual(["pay processing", "query processing"]);
    expect((await told()).at(-1)).toBe("query paid");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });
});

describe("a payout that is never answered", () => {
  it("ends in a manual check and is not sent again", async () => {
    const unknown_since = new Date(Date.now() - 1_000);
    const made = await makeMany(t.db, 1, { state: "unknown", payout: { unknown_since } });
    // Queued again after being unknown for too long: queried, not sent.
    const queued = await makeMany(t.db, 1, { state: "queued", payout: { unknown_since } });
    await startTestWorker(t, wallet, { schedule: { checkAfterMs: 900 } });
    await untilStates(t.db, [...made, ...queued], "check");
    await sleep(200);
    for (const { log_id } of [...made, ...queued]) {
      expect(await attemptsOf(t.db, log_id)).toEqual(["query never_seen"]);
    }
  });
});
