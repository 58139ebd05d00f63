/**
 * When the wallet may be called, by what it answered lately (behaviour §6). Sending and asking are
 * judged apart: a wallet that takes no payments may still know what it has paid. Pure: the caller reads
 * the state that all processes share, and the database's clock.
 *
 * Sending on while the wallet is in trouble would turn every queued payout into an unknown one, which
 * takes far longer to pay afterwards; so one call at a time tries whether it is well again.
 */
import type { WalletWord } from "./payout-rules.ts";

export type WalletCallKind = "pay" | "query";

/** What makes a trouble, and how it is waited out; milliseconds. */
export interface WalletPatience {
  /** So many answers in a row without a word are a trouble. */
  readonly troublesMax: number;
  /** Two are, once there has been no word for so long: few calls are made when little is won. */
  readonly troubleAfterMs: number;
  /** Pause before the first try; doubled after each that failed, up to `tryMsMax`. */
  readonly tryMs: number;
  readonly tryMsMax: number;
  /** How long the others wait for a try whose answer does not come. */
  readonly tryHoldMs: number;
  /** Longest pause that a wallet is granted by its Retry-After. */
  readonly retryAfterMsMax: number;
  /**
   * After a trouble that lasted so long, everything unknown is asked about at once: its tries have used
   * the early questions up, and the next one might be five minutes away.
   */
  readonly longTroubleMs: number;
}

export const WALLET_PATIENCE: WalletPatience = {
  troublesMax: 10,
  troubleAfterMs: 10_000,
  tryMs: 1_000,
  tryMsMax: 10_000,
  tryHoldMs: 15_000,
  retryAfterMsMax: 300_000,
  longTroubleMs: 10_000,
};

/** What all processes know of the wallet's answers to one kind of call. */
export interface WalletLane {
  readonly kind: WalletCallKind;
  /** Answers in a row that held no word. */
  readonly troubles: number;
  /** When the first of them was asked for. */
  readonly trouble_since: Date | null;
  /** While it is in trouble: the next try. */
  readonly next_try_at: Date | null;
  /** Tries that have failed since. */
  readonly tries: number;
  /** Until when the wallet wishes not to be called. */
  readonly paused_until: Date | null;
  /** What came in place of the last word. */
  readonly last_answer: string | null;
}

/** One answer, or its absence. */
export interface WalletNote {
  readonly kind: WalletCallKind;
  readonly startedAt: Date;
  /** Was it a try, which others wait for? */
  readonly isTry: boolean;
  readonly word: WalletWord;
  /** How long the wallet wishes not to be called. */
  readonly retryAfterMs: number | null;
}

function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}

function latest(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other;
}

/** Is this kind of call in trouble? */
export function isInTrouble(lane: WalletLane, now: Date, patience: WalletPatience): boolean {
  const { troubles, trouble_since } = lane;
  return (
    troubles >= patience.troublesMax ||
    (troubles >= 2 &&
      trouble_since !== null &&
      now.getTime() - trouble_since.getTime() >= patience.troubleAfterMs)
  );
}

/** Is there nothing to say of it? Then it has not to be locked. */
export function isUntroubled(lane: WalletLane, now: Date): boolean {
  return lane.troubles === 0 && (lane.paused_until === null || lane.paused_until <= now);
}

/** When the next call of this kind may be made: `now`, or later. */
export function nextCallAt(lane: WalletLane, now: Date, patience: WalletPatience): Date {
  const paused = latest(lane.paused_until, now);
  return isInTrouble(lane, now, patience) ? latest(lane.next_try_at, paused) : paused;
}

/** How many calls of this kind may be made now; a 1 of a wallet in trouble is a try. */
export function roomOf(lane: WalletLane, now: Date, patience: WalletPatience): number {
  if (nextCallAt(lane, now, patience) > now) {
    return 0;
  }
  return isInTrouble(lane, now, patience) ? 1 : Number.POSITIVE_INFINITY;
}

/** After a try was started: the others wait for its answer. */
export function afterTry(lane: WalletLane, now: Date, patience: WalletPatience): WalletLane {
  return { ...lane, next_try_at: later(now, patience.tryHoldMs) };
}

/** A lane about which nothing bad is known; a pause that the wallet wished for stays. */
export function withoutTrouble(lane: WalletLane): WalletLane {
  return { ...lane, troubles: 0, trouble_since: null, next_try_at: null, tries: 0 };
}

/** A call that we did not make, or gave up ourselves, says nothing of the wallet. */
function isOurOwn(word: WalletWord): boolean {
  return word.kind === "unclear" && (word.why === "stopped" || word.why === "not sent");
}

/** The lane of `note.kind` after one more answer. */
export function afterAnswer(
  lane: WalletLane,
  note: WalletNote,
  now: Date,
  patience: WalletPatience,
): WalletLane {
  const { word } = note;
  if (word.kind !== "unclear") {
    return withoutTrouble(lane);
  }
  if (isOurOwn(word)) {
    return note.isTry ? { ...lane, next_try_at: now } : lane;
  }
  const tries = lane.tries + (note.isTry ? 1 : 0);
  const pause = Math.min(patience.tryMs * 2 ** Math.max(0, tries - 1), patience.tryMsMax);
  const isDue = note.isTry || lane.next_try_at === null;
  return {
    ...lane,
    troubles: lane.troubles + 1,
    trouble_since: lane.trouble_since ?? note.startedAt,
    next_try_at: isDue ? later(now, pause) : lane.next_try_at,
    tries,
    last_answer: word.why,
  };
}

/** A lane whose wallet wishes not to be called for a while; it is granted up to a bound. */
export function withPause(
  lane: WalletLane,
  retryAfterMs: number,
  now: Date,
  patience: WalletPatience,
): WalletLane {
  const until = later(now, Math.min(retryAfterMs, patience.retryAfterMsMax));
  return { ...lane, paused_until: latest(lane.paused_until, until) };
}

/** Does the answer show that the wallet has taken the payment that the question was about? */
export function showsTaking({ kind, word }: WalletNote): boolean {
  return kind === "query" && word.kind !== "unclear" && word.kind !== "never_seen";
}
