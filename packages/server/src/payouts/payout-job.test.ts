import { setTimeout as sleep } from "node:timers/promises";
import { PAYOUT_SCHEDULE } from "./payout-rules.ts";
import { inTransaction } from "#platform/connection";
import { notifyPayoutWorkers } from "#platform/listen";
import { PAYOUT_LIMITS } from "./payout-job.ts";
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
} from "#test/payout-factory";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";

const t = useTestDb();
const wallet = useFaultWallet();

/** Calls of the wallet about one number, in order. */
async function callsAbout({ trans_sn }: MadeRecord) {
  const { attempts } = await wallet.ledger();
  return attempts.filter((attempt) => attempt.trans_sn === trans_sn);
}

beforeEach(async () => {
  await wallet.control({ mode: "pay" });
  // What the workers of the last test had heard of the wallet.
  await t.db.deleteFrom("wallet_health").execute();
  await t.db
    .updateTable("payout")
    .set({ next_at: new Date("2100-01-01") })
    .execute();
});

describe("a wallet that is well", () => {
  it("is asked once for each payout, and what it says is written down", async () => {
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

  it("is called at once for what is announced, and in time for what was not", async () => {
    // Longer than anybody here waits: what is paid was not found by looking now and then.
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

/**
 * Has a worker of little patience make the first calls, and nobody ask about them: a question would have to
 * be answered within that patience too, which a busy machine cannot promise.
 */
async function letTimeOut(made: readonly MadeRecord[]): Promise<void> {
  const hour = 3_600_000;
  const worker = await startTestWorker(t, wallet, {
    limits: { callDeadlineMs: 3_000 },
    schedule: { askAfterMs: [hour], askEveryMs: hour },
  });
  await untilStates(t.db, made, "unknown");
  await worker.stop();
  const log_ids = made.map(({ log_id }) => log_id);
  const now = new Date();
  await t.db.updateTable("payout").set({ next_at: now }).where("log_id", "in", log_ids).execute();
}

describe("a wallet that goes wrong", () => {
  /* Faults of the wallet, and what the attempt says of them. */
  it.each([
    ["hang", "unclear: timeout"],
    ["pay_then_hang", "unclear: timeout"],
    ["error_500", "unclear: status 500"],
    ["pay_then_500", "unclear: status 500"],
    ["html_200", "unclear: not json"],
    ["pay_then_html", "unclear: not json"],
    ["wrong_trans_sn", "unclear: wrong trans_sn"],
    ["pay_then_wrong_trans_sn", "unclear: wrong trans_sn"],
    ["wrong_amount", "unclear: wrong amount"],
    ["pay_then_wrong_amount", "unclear: wrong amount"],
    ["drop", "unclear: connection ECONNRESET"],
    ["pay_then_drop", "unclear: connection ECONNRESET"],
    ["redirect", "unclear: status 302"],
    ["pay_then_redirect", "unclear: status 302"],
    ["slow_body", "unclear: timeout"],
    ["pay_then_slow_body", "unclear: timeout"],
    ["truncated_json", "unclear: not json"],
    ["pay_then_truncated_json", "unclear: not json"],
    ["empty_body", "unclear: not json"],
    ["pay_then_empty_body", "unclear: not json"],
    ["rate_limited", "unclear: status 429"],
    ["business_error", "unclear: no word"],
  ])("%s: the payout is never taken for failed, and is paid once", async (mode, outcome) => {
    const made = await makeMany(t.db, 20);
    await wallet.control({ mode, times: made.length, seconds: 0.05, on: "pay" });
    if (outcome === "unclear: timeout") {
      await letTimeOut(made);
    }
    await startTestWorker(t, wallet);
    const seen = new Set<string>();
    await until("all paid", async () => {
      const states = await statesOf(t.db, made);
      states.forEach((state) => seen.add(state));
      return states.every((state) => state === "paid");
    });
    expect(seen).not.toContain("refused");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
    for (const { log_id } of made) {
      const [first, second, ...rest] = await attemptsOf(t.db, log_id);
      expect(first).toBe(`pay ${outcome}`);
      expect(second).toMatch(/^query (paid|never_seen)$/);
      const again = rest.filter((attempt) => attempt.startsWith("pay "));
      // What the wallet had paid is found by asking; what it had not is sent once more.
      expect(again).toEqual(mode.startsWith("pay_") ? [] : ["pay paid"]);
    }
  });

  it("answers questions wrongly too: nothing follows from that", async () => {
    const made = await makeMany(t.db, 10);
    await wallet.control({ mode: "pay_then_500", times: 40, on: "both" });
    await startTestWorker(t, wallet);
    await untilStates(t.db, made, "paid");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });

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

  it("is processing, and tells when it is asked", async () => {
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

  it("is processing, and refuses in the end", async () => {
    const made = await makeMany(t.db, 5);
    await wallet.control({ mode: "processing", seconds: 0.1, by: "query", settle: "refused" });
    await startTestWorker(t, wallet);
    await untilStates(t.db, made, "refused");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });

  it("flaps: every second call goes wrong", async () => {
    const made = await makeMany(t.db, 60);
    await wallet.control({ mode: "pay_then_drop", every: 2, on: "both" });
    await startTestWorker(t, wallet);
    await untilStates(t.db, made, "paid");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });

  it("is down: few payouts become unknown, and all are paid once it is back", async () => {
    const made = await makeMany(t.db, 300);
    await wallet.kill();
    await startTestWorker(t, wallet, { limits: { callsInFlight: 8 } });
    await sleep(1_000);
    const during = await statesOf(t.db, made);
    expect(during.filter((state) => state === "queued").length).toBeGreaterThan(200);
    expect(during).not.toContain("paid");
    expect(during).not.toContain("refused");
    await wallet.start();
    await untilStates(t.db, made, "paid");
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });
});

describe("the schedule", () => {
  it("asks 2, 5, 15 and 60 s after it became unknown, here a hundred times faster", async () => {
    const made = await makeMany(t.db, 1);
    const [one] = made;
    await wallet.control({ mode: "processing", seconds: 60, by: "query" });
    await startTestWorker(t, wallet, {
      schedule: { askAfterMs: [200, 500, 1_500], askEveryMs: 1_000, neverSeenGapMs: 60_000 },
    });
    const due = [0, 200, 500, 1_500, 2_500, 3_500];
    const asked = async () => (await attemptsOf(t.db, one?.log_id ?? 0)).length;
    await until("so many attempts", async () => (await asked()) >= due.length);
    const { rows } = await sql<{ ms: number; pause: number | null }>`
      select extract(epoch from started_at - first_value(started_at) over (order by no))::float8
          * 1000 as ms,
        extract(epoch from started_at - lag(started_at) over (order by no))::float8 * 1000 as pause
      from payout_attempt where log_id = ${one?.log_id ?? 0} order by no`.execute(t.db);
    expect(rows).toHaveLength(due.length);
    for (const [at, { ms, pause }] of rows.entries()) {
      expect(ms).toBeGreaterThanOrEqual((due[at] ?? 0) - 5);
      // Later only by what the machine takes, which is less than looking now and then would.
      const planned = (due[at] ?? 0) - (due[at - 1] ?? 0);
      expect(pause ?? 0).toBeLessThan(planned + PAYOUT_LIMITS.pollMs);
    }
  });

  it("is the documented one unless a test says otherwise", () => {
    expect(PAYOUT_SCHEDULE).toEqual({
      leaseMs: 15_000,
      askAfterMs: [2_000, 5_000, 15_000, 60_000],
      askEveryMs: 300_000,
      neverSeenGapMs: 30_000,
      checkAfterMs: 86_400_000,
      retentionMs: 10_368_000_000,
    });
  });

  it("leaves a payout to people in the end, without having sent it again", async () => {
    const unknown_since = new Date(Date.now() - 1_000);
    const made = await makeMany(t.db, 1, { state: "unknown", payout: { unknown_since } });
    // Queued again while it had been unknown for too long already: asked about, not sent.
    const queued = await makeMany(t.db, 1, { state: "queued", payout: { unknown_since } });
    await startTestWorker(t, wallet, { schedule: { checkAfterMs: 900 } });
    await untilStates(t.db, [...made, ...queued], "check");
    await sleep(200);
    for (const { log_id } of [...made, ...queued]) {
      expect(await attemptsOf(t.db, log_id)).toEqual(["query never_seen"]);
    }
  });
});
