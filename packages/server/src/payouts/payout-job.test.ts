import { setTimeout as sleep } from "node:timers/promises";
import { setStopSwitch, startAgain } from "#stops/stop-switches";
import { inTransaction } from "#platform/db/connection";
import { notifyPayoutWorkers } from "#platform/db/listen";
import { reissueRecords } from "./change-records.ts";
import { takeDueCalls } from "./take-due-calls.ts";
import { OPERATOR } from "#test/activity-factory";
import { makeRecord } from "#test/factories";
import type { MadeRecord } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  attemptsOf,
  callRules,
  FAST_LIMITS,
  FAST_SCHEDULE,
  ledgerOf,
  moneyFaults,
  startTestWorker,
  startWorkerProcess,
  statesOf,
  until,
  untilStates,
  payoutOf,
  makeMany,
  putOffPayouts,
} from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { rowOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";

const t = useTestDb();
const wallet = useFaultWallet();

/** Lease of the workers that this file kills. */
const LEASE_MS = 1_500;

function startProcess(leaseMs = FAST_SCHEDULE.leaseMs): Promise<() => Promise<void>> {
  const schedule = { ...FAST_SCHEDULE, leaseMs };
  return startWorkerProcess(t, wallet, { schedule, limits: FAST_LIMITS });
}

const callsAbout = async (...made: readonly MadeRecord[]) =>
  (await ledgerOf(wallet, made)).attempts;

/** Expects that the wallet's whole ledger agrees with all payouts. */
async function expectMoney(): Promise<void> {
  expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
}

beforeEach(async () => {
  await wallet.control({ mode: "pay" });
  await t.db.deleteFrom("stop_switch").execute();
  await putOffPayouts(t.db);
});

describe("a wallet that is well", () => {
  it("is called once for each payout, and its answer is recorded", async () => {
    const values = { award_price_cents: 1_205 };
    const first = await makeRecord(t.db, values);
    const made = [first, ...(await makeMany(t.db, 99, values))];
    const worker = await startTestWorker(t, wallet);
    await worker.idle();
    expect(new Set(await statesOf(t.db, made))).toEqual(new Set(["paid"]));
    await expectMoney();
    const payout = await payoutOf(t.db, first);
    expect(payout).toMatchObject({ attempts: 1, lease_until: null, fail_reason: null });
    expect(payout.wallet_ref).toMatch(/^F\d+$/);
    expect(payout.paid_at?.getTime()).toBeGreaterThan(payout.created_at.getTime());
    expect(await callsAbout(first)).toHaveLength(1);
    const attempt = await rowOf(t.db, "payout_attempt", { log_id: first.log_id });
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
    expect(await callsAbout(physical, later)).toEqual([]);
  });

  it("is called at once after a notification, and in time without one", async () => {
    // The poll interval is longer than this test, so polling cannot find a payment.
    const worker = await startTestWorker(t, wallet, { limits: { pollMs: 600_000 } });
    await worker.idle();
    const announced = await makeRecord(t.db);
    await inTransaction(t.db, (tx) => notifyPayoutWorkers(tx));
    await untilStates(t.db, [announced], "paid");

    const next_at = new Date(Date.now() + 300);
    const soon = await makeRecord(t.db, { payout: { next_at } });
    await inTransaction(t.db, (tx) => notifyPayoutWorkers(tx));
    await untilStates(t.db, [soon], "paid");
    const { started_at } = await rowOf(t.db, "payout_attempt", { log_id: soon.log_id });
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

it("makes no call after its lease may have ended", async () => {
  const one = await makeRecord(t.db);
  const worker = await startTestWorker(t, wallet, { schedule: { leaseMs: 1 } });
  const told = async () => (await attemptsOf(t.db, one.log_id)).join();
  await until("an attempt", async () => (await told()).includes("not sent"));
  await worker.stop();
  expect(await callsAbout(one)).toEqual([]);
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
    await expectMoney();
  });
});

/** wallet-modes.test.ts tests all other ways in which a wallet fails. */
describe("a wallet that goes wrong", () => {
  it("denies for a while what it has paid: sent again under the same number, credited once", async () => {
    const made = await makeMany(t.db, 10);
    await wallet.control({ mode: "not_found_for", times: made.length, seconds: 3_600 });
    await startTestWorker(t, wallet);
    await untilStates(t.db, made, "paid");
    for (const one of made) {
      const calls = await callsAbout(one);
      const credits = calls.filter(({ call }) => call === "pay").map(({ credit }) => credit);
      expect(credits).toEqual(["new", "known"]);
    }
    await expectMoney();
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
    await expectMoney();
  });
});

describe("a payout that is never answered", () => {
  it("ends in a manual check and is not sent again", async () => {
    const unknown_since = new Date(Date.now() - 1_000);
    const made = await makeMany(t.db, 1, { state: "unknown", payout: { unknown_since } });
    // This payout was unknown for too long before it was queued again, so the worker queries instead of sending.
    const queued = await makeMany(t.db, 1, { state: "queued", payout: { unknown_since } });
    await startTestWorker(t, wallet, { schedule: { checkAfterMs: 900 } });
    await untilStates(t.db, [...made, ...queued], "check");
    await sleep(200);
    for (const { log_id } of [...made, ...queued]) {
      expect(await attemptsOf(t.db, log_id)).toEqual(["query never_seen"]);
    }
  });
});

describe("workers side by side", () => {
  it("send each payout once, from one process and from two", async () => {
    const made = await makeMany(t.db, 400);
    await Promise.all([startProcess(), startTestWorker(t, wallet), startTestWorker(t, wallet)]);
    await untilStates(t.db, made, "paid");
    expect(await callsAbout(...made)).toHaveLength(400);
    await expectMoney();
  });

  it("do not take over a call that takes longer than a lease", async () => {
    await wallet.control({ mode: "late", seconds: 6 });
    const made = await makeMany(t.db, 5);
    // On a busy machine this lease still leaves time for three renewals.
    const slow = { schedule: { leaseMs: 2_000 } };
    await startTestWorker(t, wallet, slow);
    await startTestWorker(t, wallet, slow);
    await untilStates(t.db, made, "paid");
    for (const { log_id } of made) {
      expect(await attemptsOf(t.db, log_id)).toEqual(["pay paid"]);
    }
  });
});

describe("a worker that is stopped", () => {
  it("waits for its calls and claims no more", async () => {
    await wallet.control({ mode: "late", seconds: 0.2 });
    // So many payouts that some are still unpaid when the test notices the first payments.
    const made = await makeMany(t.db, 500);
    const worker = await startTestWorker(t, wallet, {
      limits: { callsInFlight: 10, stopWaitMs: 20_000 },
    });
    await until("calls in flight", async () => (await statesOf(t.db, made)).includes("sending"));
    await worker.stop();
    const states = await statesOf(t.db, made);
    expect(states).not.toContain("sending");
    expect(states).not.toContain("unknown");
    expect(states).toContain("paid");
    expect(states).toContain("queued");
    await expectMoney();
  });

  it("aborts calls that do not end, and leaves them to be queried", async () => {
    await wallet.control({ mode: "pay_then_hang" });
    const made = await makeMany(t.db, 10);
    const limits = { callDeadlineMs: 60_000, stopWaitMs: 200 };
    const worker = await startTestWorker(t, wallet, { limits });
    await until("calls in flight", async () =>
      (await statesOf(t.db, made)).every((state) => state === "sending"),
    );
    const start = Date.now();
    await Promise.all([worker.stop(), worker.stop(), worker.idle()]);
    expect(Date.now() - start).toBeLessThan(limits.callDeadlineMs / 2);
    expect(new Set(await statesOf(t.db, made))).toEqual(new Set(["unknown"]));
    expect(await attemptsOf(t.db, made[0]?.log_id ?? 0)).toEqual(["pay unclear: stopped"]);
    await wallet.control({ mode: "pay" });
    await startTestWorker(t, wallet);
    await untilStates(t.db, made, "paid");
    await expectMoney();
  });
});

describe("a database that goes away", () => {
  /** Ends database connections whose application name matches a pattern in `names`. */
  const cut = (...names: readonly string[]) =>
    t.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and application_name like any(${names}::text[])`;

  it("is listened to again after that", async () => {
    const worker = await startTestWorker(t, wallet, { limits: { pollMs: 60_000 } });
    await worker.idle();
    await cut("%listen%");
    const one = await makeRecord(t.db);
    await untilStates(t.db, [one], "paid");
    const other = await makeRecord(t.db);
    await inTransaction(t.db, (tx) => notifyPayoutWorkers(tx));
    await untilStates(t.db, [other], "paid");
    expect(await attemptsOf(t.db, other.log_id)).toEqual(["pay paid"]);
  });

  it("during payments: no answer is lost, and each payout is paid once", async () => {
    const made = await makeMany(t.db, 300);
    const kill = await startProcess(LEASE_MS);
    for (let index = 0; index < 10; index += 1) {
      await sleep(30);
      await cut("test worker", "%listen%");
    }
    await untilStates(t.db, made, "paid");
    await kill();
    await expectMoney();
  });

  it("refuses one row: the rest of the batch is settled", async () => {
    const made = await makeMany(t.db, 40);
    const bad = made[7]?.log_id ?? 0;
    await t.sql`
      create function refuse_row() returns trigger language plpgsql as $$
      begin
        if new.state = 'paid' then
          raise exception 'no' using errcode = 'check_violation';
        end if;
        return new;
      end $$`;
    await t.sql`create trigger refuse_row before update on payout for each row
      when (new.log_id = ${sql.lit(bad)}) execute function refuse_row()`;
    await startTestWorker(t, wallet, { schedule: { leaseMs: LEASE_MS } });
    await untilStates(t.db, [...made.slice(0, 7), ...made.slice(8)], "paid");
    await t.sql`drop trigger refuse_row on payout`;
    await untilStates(t.db, made, "paid");
    await expectMoney();
  });
});

describe("stopped payouts (behaviour §6)", () => {
  const SWITCH = { name: "payouts" } as const;
  const stop = () => inTransaction(t.db, (tx) => setStopSwitch(tx, OPERATOR, SWITCH, null));
  const start = () => inTransaction(t.db, (tx) => startAgain(tx, OPERATOR, SWITCH));

  it("wait while queued or re-issued, and are paid once after the start", async () => {
    const refused = await makeMany(t.db, 5, { state: "refused" });
    const log_ids = refused.map(({ log_id }) => log_id);
    await stop();
    const made = [...refused, ...(await makeMany(t.db, 40))];
    const worker = await startTestWorker(t, wallet);
    const { retentionMs } = FAST_SCHEDULE;
    await inTransaction(t.db, (tx) => reissueRecords(tx, OPERATOR, log_ids, retentionMs));
    await worker.idle();
    expect(new Set(await statesOf(t.db, made))).toEqual(new Set(["queued"]));
    expect(await callsAbout(...made)).toEqual([]);
    await start();
    await untilStates(t.db, made, "paid");
    await expectMoney();
    expect(await callsAbout(...made)).toHaveLength(45);
  });

  it("are settled when in flight; nothing is claimed for sending after the answer", async () => {
    const made = await makeMany(t.db, 200);
    const worker = await startTestWorker(t, wallet, { limits: { callsInFlight: 8 } });
    await untilStates(t.db, made.slice(0, 8), "paid", "sending");
    await stop();
    const attempts = () => t.db.selectFrom("payout_attempt").select(["log_id", "no"]).execute();
    const claimed = await attempts();
    await worker.idle();
    expect(new Set(await statesOf(t.db, made))).toEqual(new Set(["paid", "queued"]));
    expect(await attempts()).toHaveLength(claimed.length);
    await expectMoney();
  });

  it('are queried while unknown; "never seen" ones wait to be sent again', async () => {
    const unknown_since = new Date(Date.now() - 1_000);
    const never = await makeRecord(t.db, { state: "unknown", payout: { unknown_since } });
    await stop();
    await startTestWorker(t, wallet);
    await untilStates(t.db, [never], "queued");
    await sleep(300);
    expect(await statesOf(t.db, [never])).toEqual(["queued"]);
    expect(new Set(await attemptsOf(t.db, never.log_id))).toEqual(new Set(["query never_seen"]));
    expect(new Set((await callsAbout(never)).map(({ call }) => call))).toEqual(new Set(["query"]));
    await start();
    await untilStates(t.db, [never], "paid");
  });

  it("are claimed before the answer to the stop, which waits for a claim in flight", async () => {
    const made = await makeMany(t.db, 4);
    const claim = await hold(t.db, (tx) => takeDueCalls(tx, 2, callRules()));
    const order: string[] = [];
    const stopping = stop().then(() => order.push("stopped"));
    await untilWaiting(t.db);
    order.push("waited");
    await claim.commit();
    await stopping;
    expect(order).toEqual(["waited", "stopped"]);
    expect(claim.result.calls).toHaveLength(2);
    const next = await inTransaction(t.db, (tx) => takeDueCalls(tx, 10, callRules()));
    expect(next.calls).toEqual([]);
    expect((await statesOf(t.db, made)).filter((state) => state === "queued")).toHaveLength(2);
  });
});
