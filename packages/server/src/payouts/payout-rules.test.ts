import { PAYOUT_STATES } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
import {
  outcomeOf,
  PAYOUT_SCHEDULE,
  printable,
  reasonOf,
  scheduleFor,
  settlePayout,
} from "./payout-rules.ts";
import type {
  HeardAnswer,
  HeardCallback,
  HeardStatement,
  PayoutFacts,
  WalletWord,
} from "./payout-rules.ts";
import { describe, expect, it } from "vitest";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const PAID = { kind: "paid", wallet_ref: "W1" } as const;
const REFUSED = { kind: "refused", reason: "account frozen" } as const;
const PROCESSING: WalletWord = { kind: "processing" };
const NEVER_SEEN: WalletWord = { kind: "never_seen" };
const TIMEOUT: WalletWord = { kind: "unclear", why: "timeout" };

/** Seconds before (negative) or after NOW. */
function at(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

function facts(values: Partial<PayoutFacts> = {}): PayoutFacts {
  return {
    state: "sending",
    unknown_since: null,
    asked: 0,
    never_seen_at: null,
    resent: 0,
    first_sent_at: at(-60),
    contested_state: null,
    contested_check_reason: null,
    check_reason: null,
    fail_reason: null,
    is_erased: false,
    ...values,
  };
}

function answer(word: WalletWord, values: Partial<HeardAnswer> = {}): HeardAnswer {
  return { by: "answer", kind: "pay", calledAt: NOW, holdsLease: true, word, ...values };
}

function query(word: WalletWord, values: Partial<HeardAnswer> = {}): HeardAnswer {
  return answer(word, { kind: "query", ...values });
}

function callback(word: HeardCallback["word"], values: Partial<HeardCallback> = {}): HeardCallback {
  return { by: "callback", word, sent: 1, isReissued: false, ...values };
}

function settle(payout: PayoutFacts, heard: HeardAnswer | HeardCallback | HeardStatement) {
  return settlePayout(payout, heard, NOW, PAYOUT_SCHEDULE);
}

describe("an answer in time", () => {
  it("ends the payout only by the wallet's own word", () => {
    expect(settle(facts(), answer(PAID))).toMatchObject({
      state: "paid",
      paid_at: NOW,
      wallet_ref: "W1",
      fail_reason: null,
    });
    expect(settle(facts(), answer(REFUSED))).toMatchObject({
      state: "refused",
      paid_at: null,
      fail_reason: "account frozen",
    });
    for (const word of [PROCESSING, NEVER_SEEN, TIMEOUT]) {
      for (const kind of ["pay", "query"] as const) {
        expect(settle(facts(), answer(word, { kind }))).toMatchObject({
          state: "unknown",
          unknown_since: NOW,
        });
      }
    }
  });

  it.each([
    // [queries before, seconds from the query until the next one]
    [0, 3],
    [1, 10],
    [2, 45],
    [3, 300],
    [4, 300],
    [100, 300],
  ])("after %i questions is asked about again in %i s", (asked, seconds) => {
    const payout = facts({ unknown_since: at(-60), asked });
    expect(settle(payout, query(TIMEOUT))).toMatchObject({
      asked: asked + 1,
      next_at: at(seconds),
      unknown_since: at(-60),
    });
  });

  it("is first queried 2 s after it became unknown, however long the call took", () => {
    const late = answer(TIMEOUT, { calledAt: at(-10) });
    expect(settle(facts(), late)).toMatchObject({ asked: 0, next_at: at(2) });
    const again = facts({ unknown_since: at(-600), resent: 1 });
    expect(settle(again, late)).toMatchObject({ next_at: at(2), unknown_since: at(-600) });
  });

  it("counts the interval from the query, not from its answer", () => {
    const payout = facts({ unknown_since: at(-20), asked: 1 });
    expect(settle(payout, query(TIMEOUT, { calledAt: at(-4) }))).toMatchObject({ next_at: at(6) });
    expect(settle(payout, query(TIMEOUT, { calledAt: at(-40) }))).toMatchObject({ next_at: NOW });
  });
});

describe("never seen", () => {
  const unknown = facts({ unknown_since: at(-60), asked: 1 });

  it("is recorded the first time and queried again at most 30 s later", () => {
    expect(settle(unknown, query(NEVER_SEEN))).toMatchObject({
      state: "unknown",
      never_seen_at: NOW,
      next_at: at(10),
    });
    expect(settle({ ...unknown, asked: 4 }, query(NEVER_SEEN))).toMatchObject({ next_at: at(30) });
  });

  it("does not send again after less than 30 s", () => {
    const seen = { ...unknown, never_seen_at: at(-29.999) };
    expect(settle(seen, query(NEVER_SEEN))).toMatchObject({
      state: "unknown",
      never_seen_at: at(-29.999),
      next_at: at(0.001),
    });
  });

  it("sends again after two that are 30 s apart", () => {
    const seen = { ...unknown, never_seen_at: at(-30) };
    expect(settle(seen, query(NEVER_SEEN))).toMatchObject({
      state: "queued",
      next_at: NOW,
      never_seen_at: null,
      unknown_since: at(-60),
      resent: 1,
    });
  });

  it("waits twice as long after every sending, up to four minutes", () => {
    const due = (resent: number, seconds: number) =>
      settle({ ...unknown, resent, never_seen_at: at(-seconds) }, query(NEVER_SEEN))?.state;
    expect([due(1, 59), due(1, 60), due(2, 119), due(2, 120)]).toEqual([
      "unknown",
      "queued",
      "unknown",
      "queued",
    ]);
    expect([due(50, 239), due(50, 240)]).toEqual(["unknown", "queued"]);
  });

  it('is counted from zero after "processing", but not after silence', () => {
    const seen = { ...unknown, never_seen_at: at(-20) };
    expect(settle(seen, query(PROCESSING))).toMatchObject({ never_seen_at: null });
    expect(settle(seen, query(TIMEOUT))).toMatchObject({ never_seen_at: at(-20) });
  });
});

describe("after 24 hours", () => {
  const old = facts({ unknown_since: at(-86_400), asked: 300, never_seen_at: at(-3_000) });

  it.each([PROCESSING, NEVER_SEEN, TIMEOUT])("needs a manual check: $kind", (word) => {
    expect(settle(old, query(word))).toMatchObject({
      state: "check",
      check_reason: "unanswered",
      unknown_since: at(-86_400),
    });
    expect(settle(old, answer(word))).toMatchObject({ state: "check" });
    expect(settle({ ...old, unknown_since: at(-86_399) }, query(word))?.state).not.toBe("check");
  });

  it("still believes paid and refused", () => {
    expect(settle(old, query(PAID))).toMatchObject({ state: "paid" });
    expect(settle(old, query(REFUSED))).toMatchObject({ state: "refused" });
  });
});

describe("after the wallet's retention", () => {
  const DAY_S = 86_400;
  const seen = (sent: number) =>
    facts({ unknown_since: at(-60), never_seen_at: at(-30), first_sent_at: at(-sent) });

  it("goes to manual check, not sent again, when the wallet has never seen it", () => {
    expect(settle(seen(120 * DAY_S), query(NEVER_SEEN))).toMatchObject({
      state: "check",
      check_reason: "past_retention",
      unknown_since: at(-60),
    });
    expect(settle(seen(120 * DAY_S - 1), query(NEVER_SEEN))).toMatchObject({
      state: "queued",
      check_reason: null,
    });
  });

  it('is queried as usual before that, and "paid" or "refused" count', () => {
    const old = { ...seen(120 * DAY_S), never_seen_at: null };
    expect(settle(old, query(NEVER_SEEN))).toMatchObject({ state: "unknown", next_at: at(3) });
    expect(settle(seen(120 * DAY_S), query(PAID))).toMatchObject({ state: "paid" });
    expect(settle(seen(120 * DAY_S), query(REFUSED))).toMatchObject({ state: "refused" });
  });

  it("uses the installation's retention", () => {
    expect(scheduleFor(2)).toEqual({ ...PAYOUT_SCHEDULE, retentionMs: 2 * DAY_S * 1000 });
    const settled = (sent: number) =>
      settlePayout(seen(sent), query(NEVER_SEEN), NOW, scheduleFor(2))?.state;
    expect([settled(2 * DAY_S - 1), settled(2 * DAY_S)]).toEqual(["queued", "check"]);
  });
});

describe("an answer whose lease was lost", () => {
  it.each(PAYOUT_STATES)("changes a payout in %s only when it is paid", (state) => {
    const payout = facts({ state });
    for (const word of [REFUSED, PROCESSING, NEVER_SEEN, TIMEOUT]) {
      expect(settle(payout, answer(word, { holdsLease: false }))).toBeNull();
    }
    const isDone = ["paid", "delivered", "waiting_delivery"].includes(state);
    expect(settle(payout, answer(PAID, { holdsLease: false }))?.state ?? null).toBe(
      isDone ? null : "paid",
    );
  });
});

describe("a callback", () => {
  const paid: HeardCallback["word"] = { kind: "paid", wallet_ref: null };
  const refused: HeardCallback["word"] = { kind: "refused", reason: "no" };
  const state = (from: PayoutState, heard: HeardCallback) => {
    const change = settle(facts({ state: from }), heard);
    return change && change.state;
  };

  it.each([
    // [state, paid, refused, refused after several sendings or a re-issue]
    ["queued", "paid", "refused", null],
    ["sending", "paid", "refused", null],
    ["unknown", "paid", "refused", "unknown"],
    ["check", "paid", "refused", "unknown"],
    ["paid", null, null, null],
    ["delivered", null, null, null],
    ["refused", "unknown", null, null],
    ["closed", "unknown", null, null],
    ["waiting_delivery", null, null, null],
  ] as const)("in %s: paid → %s, refused → %s, else → %s", (from, onPaid, onRefused, onOld) => {
    expect(state(from, callback(paid))).toBe(onPaid);
    expect(state(from, callback(paid, { sent: 3 }))).toBe(onPaid);
    // A queued payout is queried by its next call.
    const isAsked = from === "queued";
    expect(state(from, callback(paid, { isReissued: true }))).toBe(isAsked ? null : onPaid);
    expect(state(from, callback(refused))).toBe(onRefused);
    expect(state(from, callback(refused, { sent: 2 }))).toBe(onOld);
    expect(state(from, callback(refused, { isReissued: true }))).toBe(onOld);
  });

  it('"refused" after several sendings only causes a query at once', () => {
    const old = callback(refused, { sent: 2 });
    expect(settle(facts({ state: "unknown", unknown_since: at(-9) }), old)).toMatchObject({
      state: "unknown",
      next_at: NOW,
      unknown_since: at(-9),
      fail_reason: null,
    });
  });
});

describe.each([
  ["refused", { fail_reason: "frozen", check_reason: null }],
  ["closed", { fail_reason: null, check_reason: "past_retention" }],
] as const)("a later paid about what was %s", (state, why) => {
  const paid = callback(PAID);
  const ended = facts({ state, ...why, resent: 1, asked: 9 });
  const doubted = { ...ended, ...settle(ended, paid) };
  const over = { contested_state: null, unknown_since: null };

  it("causes a query at once, and counts when the wallet confirms it", () => {
    const asked = { state: "unknown", contested_state: state, next_at: NOW, unknown_since: NOW };
    expect(doubted).toMatchObject({ ...asked, ...why, asked: 0, paid_at: null });
    const noWhy = { fail_reason: null, check_reason: null };
    expect(settle(doubted, query(PAID))).toMatchObject({ state: "paid", ...over, ...noWhy });
  });

  it("otherwise leaves it as it was, and never sends it", () => {
    expect(settle(doubted, query(REFUSED))).toMatchObject({ state, ...why, ...over });
    const once = { ...doubted, ...settle(doubted, query(NEVER_SEEN)) };
    const twice = (seconds: number) =>
      settle({ ...once, never_seen_at: at(-seconds) }, query(NEVER_SEEN));
    expect(twice(59)).toMatchObject({ state: "unknown", contested_state: state });
    expect(twice(60)).toMatchObject({ state, ...why, ...over });
  });

  it("needs a manual check after a day without a result, or when the wallet may have forgotten", () => {
    const kept = { state: "check", contested_state: state, fail_reason: why.fail_reason };
    const day = { ...doubted, unknown_since: at(-86_400) };
    const left = settle(day, query(TIMEOUT));
    expect(left).toMatchObject({ ...kept, check_reason: "unanswered" });
    const again = { ...day, ...left, state: "unknown" as const };
    expect(settle(again, query(REFUSED))).toMatchObject({ state, ...why, ...over });
    const old = { ...doubted, never_seen_at: at(-60), first_sent_at: at(-200 * 86_400) };
    expect(settle(old, query(NEVER_SEEN))).toMatchObject({
      ...kept,
      check_reason: "past_retention",
    });
  });

  it("changes nothing when repeated or withdrawn during the query", () => {
    for (const now of ["unknown", "sending", "check"] as const) {
      expect(settle({ ...doubted, state: now }, paid)).toBeNull();
      expect(settle({ ...doubted, state: now }, callback(REFUSED))).toBeNull();
    }
  });

  it("counts at once in a statement", () => {
    for (const payout of [ended, doubted]) {
      const heard = settle(payout, { by: "statement", word: PAID });
      expect(heard).toMatchObject({ state: "paid", ...over });
    }
  });
});

describe("texts of a wallet", () => {
  it("are not kept about a player who was erased", () => {
    const erased = facts({ is_erased: true });
    expect(settle(erased, answer(PAID))).toMatchObject({ state: "paid", wallet_ref: null });
    const refused = { state: "refused", fail_reason: "no reason given" };
    expect(settle(erased, answer(REFUSED))).toMatchObject(refused);
  });

  it("are kept printable, in one line, and short", () => {
    expect(printable(" a\u0000b\r\nc\ue0007\ue001\u202e\ud800 ", 10)).toBe("a b c 7");
    expect(printable("🧧🧧🧧", 2)).toBe("🧧🧧");
    expect(reasonOf("x".repeat(300))).toHaveLength(200);
    expect([reasonOf(null), reasonOf(" \u0000 ")]).toEqual(["no reason given", "no reason given"]);
    expect([outcomeOf(PAID), outcomeOf(TIMEOUT)]).toEqual(["paid", "unclear: timeout"]);
  });
});
