import { setTimeout as sleep } from "node:timers/promises";
import { walletRoutes } from "@red/contract/payouts/wallet";
import type { WalletHealth } from "@red/contract/payouts/wallet";
import { pino } from "pino";
import { recordWalletHealth, watchWallet } from "./record-wallet-health.ts";
import { selectPayoutSums } from "./payout-sums-sql.ts";
import { takeDueCalls } from "./take-due-calls.ts";
import type { DueCall } from "./take-due-calls.ts";
import { inTransaction } from "#platform/db/connection";
import { insertWallet, selectLatestWallet, selectWallet } from "./wallet-health-sql.ts";
import { WALLET_PATIENCE } from "./wallet-health.ts";
import type { WalletNote } from "./wallet-health.ts";
import { makePlayer, makeRecord, makeRecords, makeRound } from "#test/factories";
import type { MadeRecord } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import {
  callRules,
  FAST_PATIENCE,
  moneyFaults,
  payoutOf,
  startTestWorker,
  statesOf,
  until,
  untilStates,
  makeMany,
  putOffPayouts,
  setPayout,
} from "#test/payout-factory";
import { changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, describe, expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const wallet = useFaultWallet();

async function take(limit: number, rules = callRules()): Promise<readonly DueCall[]> {
  return (await inTransaction(t.db, (tx) => takeDueCalls(tx, limit, rules))).calls;
}

/** Records `count` answers to calls that began `secondsAgo`. By default the answers are timeouts of payments. */
async function note(count: number, values: Partial<WalletNote> = {}, secondsAgo = 0) {
  const one: WalletNote = {
    kind: "pay",
    startedAt: new Date(Date.now() - secondsAgo * 1_000),
    isTry: false,
    word: { kind: "unclear", why: "timeout" },
    retryAfterMs: null,
    ...values,
  };
  const notes = Array<WalletNote>(count).fill(one);
  return await inTransaction(t.db, (tx) => recordWalletHealth(tx, "test", notes, WALLET_PATIENCE));
}

/** Simulates that `seconds` pass, by moving the wallet's stored times back. */
async function skip(seconds: number): Promise<void> {
  await t.sql`update wallet_health set next_try_at = next_try_at - make_interval(secs => ${seconds}),
    paused_until = paused_until - make_interval(secs => ${seconds})`;
}

beforeEach(async () => {
  await wallet.control({ mode: "pay" });
  await putOffPayouts(t.db);
  await t.db.deleteFrom("wallet_pace").execute();
  await inTransaction(t.db, (tx) => insertWallet(tx, "test"));
});

describe("the health that one process records", () => {
  it("holds back every process: one call at a time is a try", async () => {
    await makeMany(t.db, 10);
    await note(10);
    expect(await take(5)).toEqual([]);
    await skip(1);
    const tries = await Promise.all([take(5), take(5), take(5)]);
    expect(tries.flat()).toHaveLength(1);
    expect(tries.flat()[0]).toMatchObject({ kind: "pay", isTry: true });
    // No other call is allowed before the answer to the try. After the answer the pause is longer.
    await skip(14);
    expect(await take(5)).toEqual([]);
    // The result contains only lanes in which a try confirmed or ended the trouble.
    expect(await note(1, { isTry: true })).toMatchObject([{ kind: "pay", tries: 1 }]);
    expect(await note(1, { isTry: true })).toEqual([]);
    await skip(1.2);
    expect(await take(5)).toEqual([]);
    await skip(0.9);
    expect(await take(5)).toHaveLength(1);
    const well = await note(1, { isTry: true, word: { kind: "paid", wallet_ref: null } });
    expect(well).toMatchObject([{ kind: "pay", tries: 0 }]);
    expect(await take(5)).toHaveLength(5);
  });

  it("holds back sending but not queries, and the other way round", async () => {
    await makeMany(t.db, 3);
    await makeMany(t.db, 2, { state: "unknown" });
    await note(10);
    expect((await take(9)).map(({ kind, isTry }) => [kind, isTry])).toEqual([
      ["query", false],
      ["query", false],
    ]);
    await makeMany(t.db, 2, { state: "unknown" });
    await note(1, { word: { kind: "paid", wallet_ref: null } });
    await note(10, { kind: "query" });
    expect((await take(9)).map(({ kind }) => kind)).toEqual(["pay", "pay", "pay"]);
  });

  it("allows a query before it is due as a try, when there is no other", async () => {
    const next_at = new Date(Date.now() + 250_000);
    const [first] = await makeMany(t.db, 1, { state: "unknown", payout: { next_at } });
    await note(9, { kind: "query" });
    expect(await take(9)).toEqual([]);
    await note(1, { kind: "query" });
    await skip(1);
    const tries = await Promise.all([take(9), take(9)]);
    expect(tries.flat()).toMatchObject([{ log_id: first?.log_id, kind: "query", isTry: true }]);
  });

  it("does not count for a wallet with another name", async () => {
    await makeMany(t.db, 3);
    await note(10);
    expect(await take(9, callRules({ wallet: "other" }))).toHaveLength(3);
  });

  it("is shared for a bad answer, for answers after it, and for all during a trouble", async () => {
    const watch = watchWallet(t.db, "test", WALLET_PATIENCE, pino({ level: "silent" }));
    const good = { kind: "pay", startedAt: new Date(), isTry: false, retryAfterMs: null } as const;
    const tell = async (isKnown: boolean, ...words: readonly WalletNote["word"][]) => {
      watch.learn(isKnown);
      words.forEach((word) => watch.note({ ...good, word }));
      await watch.flush();
      return (await selectWallet(t.db, "test")).pay.troubles;
    };
    const [paid, bad] = [
      { kind: "paid", wallet_ref: null },
      { kind: "unclear", why: "timeout" },
    ] as const;
    await note(3);
    expect(await tell(false, paid)).toBe(3);
    expect(await tell(false, paid, bad)).toBe(4);
    expect(await tell(false, bad, paid)).toBe(0);
    expect([await tell(false, bad), await tell(true, paid)]).toEqual([1, 0]);
    await t.sql`alter table wallet_health rename to gone`;
    watch.note({ ...good, word: bad });
    await expect(watch.flush()).rejects.toThrow("wallet_health");
    await t.sql`alter table gone rename to wallet_health`;
    expect(await tell(false, bad)).toBe(2);
    await tell(true, paid);
    watch.learn(false);
    watch.note({ ...good, word: paid, retryAfterMs: 9_000 });
    await watch.flush();
    expect((await selectWallet(t.db, "test")).query.paused_until).not.toBeNull();
  });

  it("says how long to wait for the next call", async () => {
    await t.sql`truncate draw_record, payout cascade`;
    const now = async (limit = 5, rules = callRules()) => {
      const taken = await inTransaction(t.db, (tx) => takeDueCalls(tx, limit, rules));
      const { waitMs: ms } = taken;
      const wait = ms === null || ms <= 1_000 ? ms : Math.round(ms / 10_000) * 10_000;
      return [taken.calls.length, taken.isFull, wait, taken.isTroubled];
    };
    expect(await now()).toEqual([0, false, null, false]);
    const later = (seconds: number) => ({
      payout: { next_at: new Date(Date.now() + seconds * 1_000) },
    });
    await makeRecord(t.db, { state: "unknown", ...later(600) });
    await makeMany(t.db, 3, later(300));
    expect(await now()).toEqual([0, false, 300_000, false]);
    await makeMany(t.db, 3);
    expect(await now(2)).toEqual([2, true, 0, false]);
    expect(await now(2)).toEqual([1, false, 300_000, false]);
    await t.sql`insert into stop_switch (name, stopped_by) values ('payouts', 'op')`;
    expect(await now()).toEqual([0, false, 600_000, false]);
    await t.sql`delete from stop_switch`;
    await makeMany(t.db, 2);
    expect(await now(5, callRules({ perSecond: 1 }))).toEqual([1, false, 1_000, false]);
    await note(1, { word: { kind: "never_seen" }, retryAfterMs: 60_000 });
    expect(await now()).toEqual([0, false, 60_000, true]);
    await skip(60);
    // The next try is in eight seconds. It may also use a query that is due later.
    await note(10, { kind: "query" });
    await note(4, { kind: "query", isTry: true });
    expect(await now()).toEqual([1, false, 10_000, true]);
  });

  it("is shown for the wallet of the worker that started last", async () => {
    await note(10);
    expect(await selectLatestWallet(t.db)).toMatchObject({ pay: { troubles: 10 } });
    await inTransaction(t.db, (tx) => insertWallet(tx, "other"));
    expect(await selectLatestWallet(t.db)).toMatchObject({ pay: { troubles: 0 } });
    await inTransaction(t.db, (tx) => insertWallet(tx, "test"));
    expect(await selectLatestWallet(t.db)).toMatchObject({ pay: { troubles: 10 } });
  });
});

describe("a trouble that is over", () => {
  const paid = { kind: "paid", wallet_ref: null } as const;

  async function nextQuestionIn(made: MadeRecord): Promise<number> {
    const { next_at } = await payoutOf(t.db, made);
    return (next_at.getTime() - Date.now()) / 1_000;
  }

  it("makes all unknown payouts due when it was long, but not when it was short", async () => {
    const unknown = () =>
      makeRecord(t.db, {
        state: "unknown",
        payout: { next_at: new Date(Date.now() + 250_000) },
      });
    const one = await unknown();
    await note(10, {}, 5);
    await note(1, { isTry: true, word: paid });
    expect(await nextQuestionIn(one)).toBeGreaterThan(200);
    await note(10, {}, 15);
    await note(1, { isTry: true, word: paid });
    expect(await nextQuestionIn(one)).toBeLessThan(1);
    expect(await payoutOf(t.db, one)).toMatchObject({ asked: -1 });
  });

  it("left the schedule of payouts that were queried early unchanged", async () => {
    const next_at = new Date(Date.now() + 250_000);
    const made = await makeRecord(t.db, { state: "unknown", payout: { asked: 2, next_at } });
    await note(10, { kind: "query" });
    await skip(60);
    expect(await take(9)).toHaveLength(1);
    expect(await payoutOf(t.db, made)).toMatchObject({ state: "sending", asked: 1 });
  });

  it("for queries: sending is tried at once, and healthy if nothing is queued", async () => {
    const queued = await makeRecord(t.db);
    await note(10);
    await note(10, { kind: "query" });
    await note(1, { kind: "query", isTry: true, word: { kind: "never_seen" } });
    expect((await take(9)).map(({ kind, isTry }) => [kind, isTry])).toEqual([["pay", true]]);
    await note(1, { isTry: true });
    const unknown = { state: "unknown", lease_until: null, unknown_since: new Date() } as const;
    await setPayout(t.db, queued, unknown);
    const refused = { state: "refused", fail_reason: "by hand" } as const;
    await changeRows(t.db, "payout", { state: "queued" }, refused);
    // Queries never had trouble. An answer about a payment that the wallet does not know proves nothing about sending.
    await note(1, { kind: "query", word: { kind: "never_seen" } });
    expect((await selectWallet(t.db, "test")).pay.troubles).toBe(11);
    await note(1, { kind: "query", word: paid });
    expect((await selectWallet(t.db, "test")).pay).toMatchObject({ troubles: 0, tries: 0 });
  });
});

describe("a wallet that is down", () => {
  it("is tried by one of two workers at a time; few payouts become unknown", async () => {
    const made = await makeMany(t.db, 300);
    await wallet.kill();
    const slow = { patience: { ...FAST_PATIENCE, tryMs: 100, tryMsMax: 100 } };
    await startTestWorker(t, wallet, slow);
    await startTestWorker(t, wallet, slow);
    await sleep(2_000);
    const during = await statesOf(t.db, made);
    // Two workers have 64 calls in flight at the start, and about twenty tries follow.
    expect(during.filter((state) => state === "queued").length).toBeGreaterThan(200);
    const health = await selectLatestWallet(t.db);
    expect(health?.pay.troubles).toBeGreaterThanOrEqual(10);
    expect(health?.pay.last_answer).toBe("connection ECONNREFUSED");
    expect(Date.now() - (health?.pay.trouble_since?.getTime() ?? 0)).toBeLessThan(60_000);
    await wallet.start();
    await untilStates(t.db, made, "paid");
    expect(await selectLatestWallet(t.db)).toMatchObject({
      pay: { troubles: 0, trouble_since: null },
      query: { troubles: 0, trouble_since: null },
    });
    expect(await moneyFaults(t.db, await wallet.ledger())).toEqual([]);
  });
});

describe("a limit of calls per second", () => {
  it("holds for two workers together", async () => {
    const made = await makeMany(t.db, 12);
    const before = (await wallet.ledger()).attempts.length;
    await startTestWorker(t, wallet, { perSecond: 6 });
    await startTestWorker(t, wallet, { perSecond: 6 });
    await untilStates(t.db, made, "paid");
    const { attempts } = await wallet.ledger();
    const times = attempts.slice(before).map(({ at }) => Date.parse(at));
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_500);
  });

  it("is kept in the database: a call granted to one is not granted to another", async () => {
    await makeMany(t.db, 10);
    expect(await take(9, callRules({ perSecond: 2 }))).toHaveLength(1);
    expect(await take(9, callRules({ perSecond: 2 }))).toHaveLength(0);
    await sleep(550);
    expect(await take(9, callRules({ perSecond: 2 }))).toHaveLength(1);
    expect(await take(9)).toHaveLength(8);
  });
});

describe("the wallet's shown health", () => {
  const health = () => app.read(walletRoutes.health, {});

  async function metric(name: string): Promise<number> {
    const { body } = await app.app.inject({ method: "GET", url: "/metrics" });
    return Number(new RegExp(`^${name} (.+)$`, "m").exec(body)?.[1]);
  }

  /** Waits for a health status. The counts in the status are cached for two seconds. */
  async function untilHealth(what: string, check: (health: WalletHealth) => boolean) {
    await until(what, async () => check(await health()), 10_000);
    return await health();
  }

  beforeEach(async () => {
    await t.sql`truncate draw_record, payout cascade`;
  });

  it("counts unsettled payouts only", async () => {
    for (const state of ["queued", "sending", "unknown"] as const) {
      await makeRecord(t.db, { state, award_price_cents: 1_001 });
    }
    for (const state of ["paid", "refused", "closed", "check"] as const) {
      await makeRecord(t.db, { state });
    }
    await makeRecord(t.db, { award_price_cents: 0 });
    const { trouble, waiting } = await untilHealth(
      "three",
      ({ waiting: { count } }) => count === 3,
    );
    expect(waiting).toEqual({ count: 3, amount: "30.03" });
    expect(trouble).toBeNull();
    expect(await metric("redpacket_payouts_waiting")).toBe(3);
    expect(await metric("redpacket_payouts_to_check")).toBe(1);
    const round = await makeRound(t.db);
    const [refused, goods] = [{ state: "refused" } as const, { award_price_cents: 0 }];
    const values = [refused, refused, {}, goods, { ...goods, state: "delivered" } as const];
    await makeRecords(t.db, round, await makePlayer(t.db), values);
    const sums = await selectPayoutSums(t.db, round);
    const told = sums.map(({ state, count, amount_cents }) => `${count} ${state} ${amount_cents}`);
    const some = ["1 delivered 0", "1 queued 888", "1 waiting_delivery 0", "2 refused 1776"];
    expect(told.filter((one) => !one.startsWith("0 ")).toSorted()).toEqual(some);
    expect(await metric("redpacket_wallet_trouble_seconds")).toBe(0);
  });

  it("shows a trouble's start, last answer and next try", async () => {
    await makeRecord(t.db);
    await note(9, {}, 5);
    await untilHealth("one", ({ waiting, trouble }) => waiting.count === 1 && trouble === null);
    await note(1);
    const { trouble } = await untilHealth("trouble", (one) => one.trouble !== null);
    expect(trouble).toMatchObject({
      since: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      last_answer: "timeout",
    });
    expect(await metric("redpacket_wallet_trouble_seconds")).toBeGreaterThan(4);
    await note(1, { retryAfterMs: 60_000 });
    await untilHealth("a next try", (one) => (one.trouble?.next_try ?? null) !== null);
    await note(1, { word: { kind: "never_seen" } });
    await untilHealth("well", (one) => one.trouble === null);
  });

  it("shows the longer of two troubles, and no next try that is due", async () => {
    await makeRecord(t.db, { state: "unknown" });
    await note(10, {}, 5);
    await note(2, { kind: "query", word: { kind: "unclear", why: "status 503" } }, 11);
    await skip(60);
    const { trouble } = await untilHealth(
      "queries",
      (one) => one.trouble?.last_answer === "status 503",
    );
    expect(trouble?.next_try).toBeNull();
  });

  it("shows no trouble while nothing waits", async () => {
    await note(10, {}, 60);
    await untilHealth("nothing waits", ({ waiting }) => waiting.count === 0);
    expect((await health()).trouble).toBeNull();
  });

  it("is shown to every signed-in operator and extends no session", async () => {
    const aged = new Date(Date.now() - 30 * 60_000);
    await t.db.updateTable("session").set({ seen_at: aged }).execute();
    await health();
    expect((await rowOf(t.db, "session")).seen_at).toEqual(aged);
    const { method, path: url } = walletRoutes.health;
    const answer = await app.app.inject({ method, url });
    expect(answer.json()).toMatchObject({ code: 401 });
  });
});
