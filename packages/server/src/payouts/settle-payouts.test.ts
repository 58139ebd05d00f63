import { PAYOUT_STATES } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import { payoutSettler, settlePayouts } from "./settle-payouts.ts";
import { takeDueCalls } from "./take-due-calls.ts";
import type { DueCall } from "./take-due-calls.ts";
import type { WalletWord } from "./payout-rules.ts";
import { inTransaction } from "#platform/db/connection";
import { bringQuestionsForward, expireLeases, renewLeases } from "./payout-claim-sql.ts";
import { doubtPayouts, isDataFault } from "./payout-sql.ts";
import { makeRecord } from "#test/factories";
import type { MadeRecord } from "#test/factories";
import {
  attemptsOf,
  callRules,
  FAST_SCHEDULE,
  payoutOf,
  setPayout,
  statesOf,
} from "#test/payout-factory";
import { changeRows, rowOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import pg from "pg";
import { beforeEach, describe, expect, it, vi } from "vitest";

const t = useTestDb();

beforeEach(async () => {
  await t.db.deleteFrom("payout_attempt").execute();
  await t.db.deleteFrom("payout").execute();
});

describe("a lease that was lost", () => {
  const PAID: WalletWord = { kind: "paid", wallet_ref: "W9" };
  const REFUSED: WalletWord = { kind: "refused", reason: "no" };

  async function take(): Promise<DueCall> {
    const { calls } = await inTransaction(t.db, (tx) => takeDueCalls(tx, 1, callRules()));
    const [due] = calls;
    if (due === undefined) {
      throw new Error("nothing is due");
    }
    return due;
  }

  async function expire(): Promise<number> {
    await t.sql`update payout set lease_until = now() - interval '1 s'
      where state = 'sending'`;
    return await inTransaction(t.db, (tx) => expireLeases(tx));
  }

  async function hear(...heard: readonly (readonly [DueCall, WalletWord])[]): Promise<void> {
    const answered = heard.map(([due, word]) => ({
      due,
      word,
      duration_ms: 1,
      http_status: 200,
      answer: "late",
    }));
    await inTransaction(t.db, (tx) => settlePayouts(tx, answered, FAST_SCHEDULE));
  }

  it("a late refusal is only recorded", async () => {
    const one = await makeRecord(t.db);
    const first = await take();
    expect(await expire()).toBe(1);
    expect(await statesOf(t.db, [one])).toEqual(["unknown"]);
    await hear([first, REFUSED]);
    expect(await statesOf(t.db, [one])).toEqual(["unknown"]);
    expect(await attemptsOf(t.db, one.log_id)).toEqual(["pay refused, after its lease expired"]);

    const second = await take();
    expect(second).toMatchObject({ kind: "query", no: 2 });
    const asked = await rowOf(t.db, "payout_attempt", { log_id: one.log_id, no: 2 });
    expect(asked.request).toBe(`GET /payouts/${one.trans_sn}`);
    expect(second.fence).toBeGreaterThan(first.fence);
    await hear([first, REFUSED]);
    expect(await statesOf(t.db, [one])).toEqual(["sending"]);
    await hear([second, PAID]);
    expect(await statesOf(t.db, [one])).toEqual(["paid"]);
    await hear([second, REFUSED]);
    expect(await statesOf(t.db, [one])).toEqual(["paid"]);
  });

  it("a late payment counts", async () => {
    const one = await makeRecord(t.db);
    const first = await take();
    await expire();
    const second = await take();
    await hear([first, PAID]);
    expect(await statesOf(t.db, [one])).toEqual(["paid"]);
    await hear([second, { kind: "never_seen" }]);
    expect(await statesOf(t.db, [one])).toEqual(["paid"]);
    expect(await payoutOf(t.db, one)).toMatchObject({ wallet_ref: "W9" });
  });

  it("no text about an erased player is stored", async () => {
    const one = await makeRecord(t.db);
    const due = await take();
    const { log_id, player_key } = await payoutOf(t.db, one);
    const erased = { blocked: true, erased_at: new Date() };
    await changeRows(t.db, "player", { player_key }, erased);
    await hear([due, PAID]);
    expect(await payoutOf(t.db, one)).toMatchObject({ state: "paid", wallet_ref: null });
    const attempt = { outcome: "paid", http_status: 200, answer: null };
    expect(await rowOf(t.db, "payout_attempt", { log_id })).toMatchObject(attempt);
  });

  it("settles two answers about one payout in one batch by the same rules", async () => {
    const one = await makeRecord(t.db);
    const first = await take();
    await expire();
    const second = await take();
    await hear([second, PAID], [first, REFUSED]);
    expect(await statesOf(t.db, [one])).toEqual(["paid"]);
  });
});

describe("the settler", () => {
  it.each([
    ["22P05", true],
    ["23514", true],
    ["42723", false],
    ["40001", false],
    [undefined, false],
  ])("SQLSTATE %s is a fault in the data: %s", (code, isFault) => {
    const fault = Object.assign(new pg.DatabaseError("no", 2, "error"), { code });
    expect(isDataFault(fault)).toBe(isFault);
    expect(isDataFault(Object.assign(new Error("no"), { code }))).toBe(false);
  });

  it("leaves out the answer whose data the database refuses, and records those around it", async () => {
    const made = [await makeRecord(t.db), await makeRecord(t.db), await makeRecord(t.db)];
    const { calls } = await inTransaction(t.db, (tx) => takeDueCalls(tx, 3, callRules()));
    const log = { warn: vi.fn<(told: object) => void>(), error: vi.fn<(told: object) => void>() };
    const settler = payoutSettler(t.db, FAST_SCHEDULE, log);
    await Promise.all(
      calls.map(async (due) => {
        const isBad = due.log_id === made[1]?.log_id;
        const word = { kind: "paid", wallet_ref: isBad ? "W\0" : "W1" } as const;
        const told = { duration_ms: 1, http_status: 200, answer: "told" };
        await settler.settle({ due, word, ...told });
      }),
    );
    expect(settler.size()).toBe(0);
    expect(await statesOf(t.db, made)).toEqual(["paid", "sending", "paid"]);
    expect(log.warn).not.toHaveBeenCalled();
    const { log_id } = made[1] ?? {};
    expect(log.error.mock.calls).toMatchObject([[{ log_id }, expect.any(String)]]);
  });
});

describe("a claim", () => {
  /** Makes one payout in each state. With `isDue` it is due or its lease has expired; otherwise neither. */
  async function makeEach(isDue: boolean) {
    const next_at = new Date(isDue ? "2026-01-01" : "2100-01-01");
    const made = new Map<PayoutState, MadeRecord>();
    for (const state of PAYOUT_STATES) {
      const isPhysical = state === "waiting_delivery" || state === "delivered";
      const payout = { next_at, ...(state === "sending" ? { lease_until: next_at } : {}) };
      const cents = isPhysical ? { award_price_cents: 0 } : {};
      made.set(state, await makeRecord(t.db, { state, ...cents, payout }));
    }
    return made;
  }

  async function becomes(made: Map<PayoutState, MadeRecord>) {
    const states = await statesOf(t.db, [...made.values()]);
    const pairs = [...made.keys()].map((state, at) => [state, states[at]] as const);
    return Object.fromEntries(pairs.filter(([was, is]) => was !== is));
  }

  const claim = () => inTransaction(t.db, (tx) => takeDueCalls(tx, 20, callRules()));

  it("takes what is queued or unknown and due", async () => {
    const early = await makeEach(false);
    expect((await claim()).calls).toEqual([]);
    const made = await makeEach(true);
    const { calls } = await claim();
    const kinds = new Map(calls.map(({ log_id, kind }) => [log_id, kind]));
    expect(kinds).toEqual(
      new Map([
        [made.get("unknown")?.log_id, "query"],
        [made.get("queued")?.log_id, "pay"],
      ]),
    );
    expect(await becomes(made)).toEqual({ queued: "sending", unknown: "sending" });
    expect(await becomes(early)).toEqual({});
  });

  it("takes unknown payouts first, then those due for the longest time", async () => {
    const due = (day: number) => ({ payout: { next_at: new Date(Date.UTC(2026, 0, day)) } });
    const queued = [await makeRecord(t.db, due(2)), await makeRecord(t.db, due(1))];
    const made = [...queued, await makeRecord(t.db, { state: "unknown", ...due(3) })];
    const taken: (number | undefined)[] = [];
    for (const _ of made) {
      const { calls } = await inTransaction(t.db, (tx) => takeDueCalls(tx, 1, callRules()));
      taken.push(calls[0]?.log_id);
    }
    expect(taken).toEqual([2, 1, 0].map((at) => made[at]?.log_id));
  });

  it("is renewed while its fence holds, and not after it has ended", async () => {
    const held = await makeRecord(t.db);
    const lost = await makeRecord(t.db);
    const ended = await makeRecord(t.db);
    const { calls } = await claim();
    await setPayout(t.db, lost, { fence: 9 });
    await setPayout(t.db, ended, { state: "paid", lease_until: null, paid_at: new Date() });
    await inTransaction(t.db, (tx) => renewLeases(tx, calls, 3_600_000));
    const inMinutes = async (made: MadeRecord) =>
      Math.ceil(
        ((await payoutOf(t.db, made)).lease_until?.getTime() ?? 0) / 60_000 - Date.now() / 60_000,
      );
    expect(await inMinutes(held)).toBeGreaterThan(50);
    expect(await inMinutes(lost)).toBeLessThanOrEqual(1);
    expect((await payoutOf(t.db, ended)).lease_until).toBeNull();
  });

  it("of unknown payouts is brought forward, the earliest first", async () => {
    const due = (year: number) => ({
      state: "unknown" as const,
      payout: { next_at: new Date(`${year}-01-01`) },
    });
    const made = [await makeRecord(t.db, due(2102)), await makeRecord(t.db, due(2101))];
    await inTransaction(t.db, (tx) => bringQuestionsForward(tx, 1));
    expect((await claim()).calls.map(({ log_id }) => log_id)).toEqual([made[1]?.log_id]);
  });

  it("queries first the payouts that a restore made unknown", async () => {
    const made = await makeEach(false);
    expect(await inTransaction(t.db, doubtPayouts)).toBe(3);
    expect(await becomes(made)).toEqual({ queued: "unknown", sending: "unknown" });
    const { calls } = await claim();
    expect(calls.map(({ kind, fence }) => [kind, fence])).toEqual(Array(3).fill(["query", 2]));
  });

  it("takes no dead worker's payout before its lease has expired", async () => {
    const early = await makeEach(false);
    const made = await makeEach(true);
    expect(await inTransaction(t.db, (tx) => expireLeases(tx))).toBe(1);
    expect(await becomes(made)).toEqual({ sending: "unknown" });
    expect(await becomes(early)).toEqual({});
  });
});
