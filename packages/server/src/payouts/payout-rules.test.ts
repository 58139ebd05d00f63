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
  PayoutChange,
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

/** Returns a time `seconds` after NOW; a negative number means before NOW. */
function at(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

const PAID_NOW = { state: "paid", paid_at: NOW, fail_reason: null } as const;
const REFUSED_NOW = { state: "refused", paid_at: null, fail_reason: "account frozen" } as const;

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

type Case = readonly [
  what: string,
  payout: PayoutFacts,
  heard: HeardAnswer,
  change: Partial<PayoutChange>,
];

const NOT_SETTLED = [PROCESSING, NEVER_SEEN, TIMEOUT];
const LATE = answer(TIMEOUT, { calledAt: at(-10) });
const ASKED = facts({ unknown_since: at(-60), asked: 1 });
const seenAgo = (seconds: number) => ({ ...ASKED, never_seen_at: at(-seconds) });

describe("an answer in time", () => {
  it.each<Case>([
    ["paid ends the payout", facts(), answer(PAID), { ...PAID_NOW, wallet_ref: "W1" }],
    ["refused ends it with its reason", facts(), answer(REFUSED), REFUSED_NOW],
    ...NOT_SETTLED.flatMap((word) => [answer(word), query(word)]).map((heard): Case => {
      const what = `${heard.word.kind} to a ${heard.kind} leaves it unknown`;
      return [what, facts(), heard, { state: "unknown", unknown_since: NOW }];
    }),
    ...[3, 10, 45, 300, 300].map((seconds, asked): Case => {
      const change = { asked: asked + 1, next_at: at(seconds), unknown_since: at(-60) };
      return [
        `query ${asked} is followed in ${seconds} s`,
        { ...ASKED, asked },
        query(TIMEOUT),
        change,
      ];
    }),
    ["the first query comes 2 s later", facts(), LATE, { asked: 0, next_at: at(2) }],
    [
      "also after it was sent again",
      facts({ unknown_since: at(-600), resent: 1 }),
      LATE,
      { next_at: at(2), unknown_since: at(-600) },
    ],
    // The interval starts at the query, not at its answer.
    ["after a slow query", ASKED, query(TIMEOUT, { calledAt: at(-4) }), { next_at: at(6) }],
    ["after a very slow one", ASKED, query(TIMEOUT, { calledAt: at(-40) }), { next_at: NOW }],
  ])("%s", (_, payout, heard, change) => {
    expect(settle(payout, heard)).toMatchObject(change);
  });
});

describe("never seen", () => {
  it.each<Case>([
    ["is recorded", ASKED, query(NEVER_SEEN), { never_seen_at: NOW, next_at: at(10) }],
    ["is queried after 30 s", { ...ASKED, asked: 4 }, query(NEVER_SEEN), { next_at: at(30) }],
    [
      "twice within 30 s does not send again",
      seenAgo(29.999),
      query(NEVER_SEEN),
      { state: "unknown", never_seen_at: at(-29.999), next_at: at(0.001) },
    ],
    [
      "twice 30 s apart sends again",
      seenAgo(30),
      query(NEVER_SEEN),
      { state: "queued", next_at: NOW, never_seen_at: null, unknown_since: at(-60), resent: 1 },
    ],
    ["starts again after processing", seenAgo(20), query(PROCESSING), { never_seen_at: null }],
    ["goes on after silence", seenAgo(20), query(TIMEOUT), { never_seen_at: at(-20) }],
    ...[
      [1, 60],
      [2, 120],
      [50, 240],
    ].flatMap(([resent = 0, gap = 0]): Case[] => [
      [`waits ${gap} s`, { ...seenAgo(gap - 1), resent }, query(NEVER_SEEN), { state: "unknown" }],
      [`sends after ${gap} s`, { ...seenAgo(gap), resent }, query(NEVER_SEEN), { state: "queued" }],
    ]),
  ])("%s", (_, payout, heard, change) => {
    expect(settle(payout, heard)).toMatchObject(change);
  });
});

describe("after 24 hours", () => {
  const old = facts({ unknown_since: at(-86_400), asked: 300, never_seen_at: at(-3_000) });

  it.each(NOT_SETTLED)("needs a manual check: $kind", (word) => {
    const check = { state: "check", check_reason: "unanswered", unknown_since: at(-86_400) };
    expect(settle(old, query(word))).toMatchObject(check);
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
  const seen = (sent: number) => ({ ...seenAgo(30), asked: 0, first_sent_at: at(-sent) });
  const old = seen(120 * DAY_S);

  it.each<Case>([
    [
      "never seen needs a manual check",
      old,
      query(NEVER_SEEN),
      { state: "check", check_reason: "past_retention", unknown_since: at(-60) },
    ],
    [
      "a second earlier it is sent again",
      seen(120 * DAY_S - 1),
      query(NEVER_SEEN),
      { state: "queued", check_reason: null },
    ],
    [
      "the first never seen is queried as usual",
      { ...old, never_seen_at: null },
      query(NEVER_SEEN),
      { state: "unknown", next_at: at(3) },
    ],
    ["paid counts", old, query(PAID), { state: "paid" }],
    ["refused counts", old, query(REFUSED), { state: "refused" }],
  ])("%s", (_, payout, heard, change) => {
    expect(settle(payout, heard)).toMatchObject(change);
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
    // Columns: state, result of "paid", result of "refused", result of "refused" after several sends or a re-issue.
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
    // The next call of a queued payout is a query.
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
