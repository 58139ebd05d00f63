import {
  isInTrouble,
  isLong,
  isUntroubled,
  nextCallAt,
  afterAnswer,
  withPause,
  roomOf,
  showsTaking,
  afterTry,
  UNCALLED,
  WALLET_PATIENCE,
} from "./wallet-health.ts";
import type { WalletLane, WalletNote } from "./wallet-health.ts";
import { describe, expect, it } from "vitest";

const NOW = new Date("2026-11-20T12:00:00.000Z");
const WELL: WalletLane = { kind: "pay", ...UNCALLED };
const MANY = Number.POSITIVE_INFINITY;

/** Returns a time `seconds` after NOW; a negative number means before NOW. */
function at(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}

function bad(values: Partial<WalletNote> = {}): WalletNote {
  const word = { kind: "unclear", why: "timeout" } as const;
  return { kind: "pay", startedAt: NOW, isTry: false, word, retryAfterMs: null, ...values };
}

function good(values: Partial<WalletNote> = {}): WalletNote {
  return bad({ word: { kind: "refused", reason: "no" }, ...values });
}

function after(lane: WalletLane, ...notes: readonly WalletNote[]): WalletLane {
  return notes.reduce((now, note) => afterAnswer(now, note, NOW, WALLET_PATIENCE), lane);
}

function room(lane: WalletLane, seconds = 0): number {
  return roomOf(lane, at(seconds), WALLET_PATIENCE);
}

const DOWN = after(WELL, ...Array<WalletNote>(10).fill(bad()));

describe("a wallet's trouble", () => {
  it("is ten answers in a row without a result, or two over ten seconds", () => {
    const nine = after(WELL, ...Array<WalletNote>(9).fill(bad()));
    expect([room(nine), room(DOWN, 1)]).toEqual([MANY, 1]);
    const two = after(WELL, bad({ startedAt: at(-10) }), bad());
    expect(isInTrouble(two, NOW, WALLET_PATIENCE)).toBe(true);
    const quick = after(WELL, bad({ startedAt: at(-9.999) }), bad());
    expect(isInTrouble(quick, NOW, WALLET_PATIENCE)).toBe(false);
    expect(isInTrouble(quick, at(1), WALLET_PATIENCE)).toBe(true);
    const one = after(WELL, bad({ startedAt: at(-60) }));
    expect(isInTrouble(one, at(600), WALLET_PATIENCE)).toBe(false);
  });

  it.each([
    [-10, true],
    [-9.999, false],
  ])("that began at %d s is long: %s", (seconds, long) => {
    const lane = { ...DOWN, trouble_since: at(seconds) };
    expect([isLong(lane, NOW, WALLET_PATIENCE), isLong(WELL, NOW, WALLET_PATIENCE)]).toEqual([
      long,
      false,
    ]);
  });

  it("has its start and the last answer", () => {
    const word = { kind: "unclear", why: "status 503" } as const;
    const lane = after(WELL, bad({ startedAt: at(-3) }), bad({ startedAt: at(-2), word }));
    expect(lane).toMatchObject({ troubles: 2, trouble_since: at(-3), last_answer: "status 503" });
  });

  it("ends with the first result of any kind", () => {
    expect(after(DOWN, good())).toEqual({ ...WELL, last_answer: "timeout" });
    const seen = after(DOWN, good({ word: { kind: "never_seen" } }));
    expect([isUntroubled(seen, NOW), room(seen)]).toEqual([true, MANY]);
  });

  it("does not count calls that we aborted or did not make", () => {
    for (const why of ["stopped", "not sent"] as const) {
      const word = { kind: "unclear", why } as const;
      expect(after(WELL, ...Array<WalletNote>(20).fill(bad({ word })))).toEqual(WELL);
    }
  });
});

describe("while a wallet is in trouble", () => {
  it("one call at a time is a try, the first after a second", () => {
    expect(DOWN.next_try_at).toEqual(at(1));
    expect([room(DOWN), room(DOWN, 0.999), room(DOWN, 1)]).toEqual([0, 0, 1]);
    const trying = afterTry(DOWN, at(1), WALLET_PATIENCE);
    expect([room(trying, 1), room(trying, 15.999), room(trying, 16)]).toEqual([0, 0, 1]);
  });

  it("waits twice as long after each try that fails, up to ten seconds", () => {
    let lane = DOWN;
    const pauses = [];
    for (let index = 0; index < 7; index += 1) {
      lane = after(afterTry(lane, NOW, WALLET_PATIENCE), bad({ isTry: true }));
      const due = nextCallAt(lane, NOW, WALLET_PATIENCE);
      pauses.push((due.getTime() - NOW.getTime()) / 1000);
    }
    expect(pauses).toEqual([1, 2, 4, 8, 10, 10, 10]);
  });

  it("late answers of other calls do not move the next try", () => {
    const trying = afterTry(DOWN, NOW, WALLET_PATIENCE);
    expect(after(trying, bad(), bad())).toMatchObject({ next_try_at: at(15), tries: 0 });
  });

  it("returns a try that was not made", () => {
    const word = { kind: "unclear", why: "stopped" } as const;
    const trying = afterTry(DOWN, NOW, WALLET_PATIENCE);
    expect(room(after(trying, bad({ isTry: true, word })))).toBe(1);
  });
});

describe("a requested pause", () => {
  it("is granted, for at most five minutes", () => {
    const short = withPause(WELL, 2_000, NOW, WALLET_PATIENCE);
    expect([room(short), room(short, 1.999), room(short, 2)]).toEqual([0, 0, MANY]);
    expect(isUntroubled(short, NOW)).toBe(false);
    const long = withPause(WELL, 21_600_000, NOW, WALLET_PATIENCE);
    expect([room(long, 299), room(long, 300)]).toEqual([0, MANY]);
  });

  it("outlasts a result that was in flight, and the next try", () => {
    const wished = withPause(DOWN, 60_000, NOW, WALLET_PATIENCE);
    expect([room(wished, 59), room(wished, 60)]).toEqual([0, 1]);
    expect([room(after(wished, good()), 59), room(after(wished, good()), 60)]).toEqual([0, MANY]);
    const shorter = withPause(wished, 1_000, NOW, WALLET_PATIENCE);
    expect(shorter.paused_until).toEqual(at(60));
  });
});

describe("an answer to a query", () => {
  it.each([
    ["paid", true],
    ["refused", true],
    ["processing", true],
    ["never_seen", false],
  ] as const)("%s shows that the payment was taken: %s", (kind, isShown) => {
    const word = { kind, wallet_ref: null, reason: "no" };
    expect(showsTaking(good({ kind: "query", word }))).toBe(isShown);
    expect(showsTaking(good({ kind: "pay", word }))).toBe(false);
    expect(showsTaking(bad({ kind: "query" }))).toBe(false);
  });
});
