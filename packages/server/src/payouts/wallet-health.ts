/**
 * Decides from the wallet's recent answers when the wallet may be called (behaviour §6). Pure: the caller reads
 * the shared state and the database's clock. Sending and querying are judged separately, because a wallet that
 * accepts no payments may still know what it has paid. If we kept sending to a wallet in trouble, every queued
 * payout would become unknown, and unknown payouts take far longer to pay. So only one call at a time tests
 * whether the wallet has recovered.
 */
import { later } from "./payout-rules.ts";
import type { WalletWord } from "./payout-rules.ts";

export type WalletCallKind = "pay" | "query";

/** Decides when a trouble starts, and how long the pauses during a trouble are. All times are milliseconds. */
export const WALLET_PATIENCE = {
  /** Number of answers in a row without a result that count as a trouble. */
  troublesMax: 10,
  /**
   * Two answers without a result within this time also count as a trouble, because at low traffic there are few calls.
   */
  troubleAfterMs: 10_000,
  /** Pause before the first try. The pause doubles after each failed try, up to `tryMsMax`. */
  tryMs: 1_000,
  tryMsMax: 10_000,
  /** Maximum time for which other calls wait for the answer to a try. */
  tryHoldMs: 15_000,
  /** Longest pause that a Retry-After header may cause. */
  retryAfterMsMax: 300_000,
  /**
   * After a trouble of this length, all unknown payouts are queried at once. Their early queries are used up, and
   * their next query may be five minutes away.
   */
  longTroubleMs: 10_000,
};
export type WalletPatience = Readonly<typeof WALLET_PATIENCE>;

/** The shared health of one kind of call: sending or querying. */
export interface WalletLane {
  readonly kind: WalletCallKind;
  /** Number of answers in a row without a result. */
  readonly troubles: number;
  /** Start of the first call of this series of answers without a result. */
  readonly trouble_since: Date | null;
  readonly next_try_at: Date | null;
  readonly tries: number;
  /** The wallet asked not to be called before this time. */
  readonly paused_until: Date | null;
  readonly last_answer: string | null;
}

export const UNCALLED: Omit<WalletLane, "kind"> = {
  troubles: 0,
  trouble_since: null,
  next_try_at: null,
  tries: 0,
  paused_until: null,
  last_answer: null,
};

/** One answer of the wallet, or the reason why there is no answer. */
export interface WalletNote {
  readonly kind: WalletCallKind;
  readonly startedAt: Date;
  readonly isTry: boolean;
  readonly word: WalletWord;
  /** Time for which the wallet asks not to be called. */
  readonly retryAfterMs: number | null;
}

function latest(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other;
}

export function isInTrouble(lane: WalletLane, now: Date, patience: WalletPatience): boolean {
  const { troubles, trouble_since } = lane;
  return (
    troubles >= patience.troublesMax ||
    (troubles >= 2 &&
      trouble_since !== null &&
      now.getTime() - trouble_since.getTime() >= patience.troubleAfterMs)
  );
}

/** Returns whether the trouble lasted so long that its unknown payouts have used up their early queries. */
export function isLong(
  { trouble_since }: WalletLane,
  now: Date,
  patience: WalletPatience,
): boolean {
  return (
    trouble_since !== null && now.getTime() - trouble_since.getTime() >= patience.longTroubleMs
  );
}

/** Returns whether the lane is healthy. A healthy lane is read without a lock. */
export function isUntroubled(lane: WalletLane, now: Date): boolean {
  return lane.troubles === 0 && (lane.paused_until === null || lane.paused_until <= now);
}

/** When the next call of this kind may be made: `now` or later. */
export function nextCallAt(lane: WalletLane, now: Date, patience: WalletPatience): Date {
  const paused = latest(lane.paused_until, now);
  return isInTrouble(lane, now, patience) ? latest(lane.next_try_at, paused) : paused;
}

/** How many calls of this kind may be made now; 1 when the call is a try. */
export function roomOf(lane: WalletLane, now: Date, patience: WalletPatience): number {
  if (nextCallAt(lane, now, patience) > now) {
    return 0;
  }
  return isInTrouble(lane, now, patience) ? 1 : Number.POSITIVE_INFINITY;
}

/** The lane after a try was started: other calls wait for its answer. */
export function afterTry(lane: WalletLane, now: Date, patience: WalletPatience): WalletLane {
  return { ...lane, next_try_at: later(now, patience.tryHoldMs) };
}

/** Returns the lane without its trouble. A pause that the wallet requested stays. */
export function withoutTrouble(lane: WalletLane): WalletLane {
  return { ...lane, troubles: 0, trouble_since: null, next_try_at: null, tries: 0 };
}

/** Returns whether we aborted the call or never made it. Such an answer tells nothing about the wallet. */
function isOurOwn(word: WalletWord): boolean {
  return word.kind === "unclear" && (word.why === "stopped" || word.why === "not sent");
}

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

export function withPause(
  lane: WalletLane,
  retryAfterMs: number,
  now: Date,
  patience: WalletPatience,
): WalletLane {
  const until = later(now, Math.min(retryAfterMs, patience.retryAfterMsMax));
  return { ...lane, paused_until: latest(lane.paused_until, until) };
}

/** Returns whether the answer proves that the wallet has accepted the queried payment. */
export function showsTaking({ kind, word }: WalletNote): boolean {
  return kind === "query" && word.kind !== "unclear" && word.kind !== "never_seen";
}
