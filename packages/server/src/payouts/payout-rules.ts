/**
 * Computes the next state of a payout after an answer of the wallet, or without an answer (behaviour §6). Pure:
 * the caller locks the row and reads the database's clock. Only the wallet's answer settles a payout. A wallet
 * never withdraws "paid", so a matching "paid" settles a payout in any state, even when the lease of the call was
 * lost. The exception is a callback "paid" after a refusal: any holder of an API key can send a callback, so we
 * query the wallet and use its answer. A "refused" counts only when no other call can have been paid meanwhile.
 * Every other answer leaves the payout unknown.
 */
import { DAY_MS } from "@red/contract/platform/datetime";
import { UNPRINTABLE } from "@red/contract/platform/fields";
import { REASON_LENGTH_MAX } from "@red/contract/platform/limits";
import type { CheckReason, ContestedState, PayoutState } from "@red/contract/platform/codes";

/** All times are milliseconds. */
export const PAYOUT_SCHEDULE = {
  /** Lease of a claim. The worker renews the lease. */
  leaseMs: 15_000,
  /** Times of the first queries, counted from the moment at which the payout became unknown. */
  askAfterMs: [2_000, 5_000, 15_000, 60_000] as readonly number[],
  /** Interval of later queries. */
  askEveryMs: 300_000,
  /**
   * Minimum time between two "never seen" answers before the payout is sent again. The time doubles after each
   * such send.
   */
  neverSeenGapMs: 30_000,
  /** After this time an unknown payout goes to manual check and is not sent again automatically. */
  checkAfterMs: DAY_MS,
  /**
   * Time after the first send for which the wallet is trusted to remember the payout. Later the payout is not
   * sent again.
   */
  retentionMs: 120 * DAY_MS,
};
export type PayoutSchedule = Readonly<typeof PAYOUT_SCHEDULE>;

/** Returns the schedule for a wallet that remembers a `trans_sn` for `retentionDays`. */
export function scheduleFor(retentionDays: number): PayoutSchedule {
  return { ...PAYOUT_SCHEDULE, retentionMs: retentionDays * DAY_MS };
}

/**
 * Limits the gap between sends to four minutes. So all unknown payouts are settled within ten minutes after the
 * wallet has recovered.
 */
const GAP_DOUBLINGS_MAX = 3;

/** The reason why the result of the payout is still unknown after a call. */
export type UnclearWhy =
  | "timeout"
  | `connection ${string}`
  | `status ${number}`
  | "too long"
  | "not json"
  | "no word"
  | "wrong trans_sn"
  | "wrong amount"
  | "stopped"
  | "not sent";

/** The wallet's result for a payout with the correct `trans_sn` and amount, or the reason why the result is unknown. */
export type WalletWord =
  | { readonly kind: "paid"; readonly wallet_ref: string | null }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "processing" }
  | { readonly kind: "never_seen" }
  | { readonly kind: "unclear"; readonly why: UnclearWhy };

export interface PayoutFacts {
  readonly state: PayoutState;
  readonly unknown_since: Date | null;
  /** Number of scheduled queries since the last send. -1 while the first query is made before it is due. */
  readonly asked: number;
  /** Time of the first "never seen" answer since the last send. */
  readonly never_seen_at: Date | null;
  /** Number of times the payout was sent again after "never seen". */
  readonly resent: number;
  readonly first_sent_at: Date | null;
  /** State before a callback contested the payout. The payout returns to this state unless the wallet has paid. */
  readonly contested_state: ContestedState | null;
  /** The `check_reason` that belongs to the contested state. `check_reason` itself may change meanwhile. */
  readonly contested_check_reason: CheckReason | null;
  readonly check_reason: CheckReason | null;
  readonly fail_reason: string | null;
  /** For an erased player, no text from the wallet is stored (behaviour §3). */
  readonly is_erased: boolean;
}

/** Contains every column that the rules write, even if the value is unchanged. */
export interface PayoutChange extends Omit<PayoutFacts, "first_sent_at" | "is_erased"> {
  readonly next_at: Date;
  readonly wallet_ref: string | null;
  readonly paid_at: Date | null;
}

/** The answer to our call, or the reason why there is no answer. */
export interface HeardAnswer {
  readonly by: "answer";
  readonly kind: "pay" | "query";
  readonly calledAt: Date;
  /** Whether the payout is still leased to the worker that made the call. */
  readonly holdsLease: boolean;
  readonly word: WalletWord;
}

/** The wallet's callback. A callback does not tell which of our calls the wallet answers. */
export interface HeardCallback {
  readonly by: "callback";
  readonly word: Extract<WalletWord, { kind: "paid" | "refused" }>;
  /** Number of times the payout was sent in its whole life. */
  readonly sent: number;
  /** Whether an operator queued the payout again after a refusal and no worker has sent the payout since. */
  readonly isReissued: boolean;
}

export interface HeardStatement {
  readonly by: "statement";
  readonly word: Extract<WalletWord, { kind: "paid" }>;
}

const RUNS = new RegExp(`${UNPRINTABLE.source}+`, "gu");

/** Returns a text from the wallet that is safe to store and show: printable, one line, at most `max` characters. */
export function printable(text: string, max: number): string {
  return Array.from(text.replaceAll(RUNS, " ").trim()).slice(0, max).join("");
}

/** Returns the stored reason of a refusal (behaviour §6). A wallet may omit the reason. */
export function reasonOf(reason: string | null | undefined): string {
  const shortened = printable(reason ?? "", REASON_LENGTH_MAX);
  return shortened === "" ? "no reason given" : shortened;
}

export function outcomeOf(word: WalletWord): string {
  return word.kind === "unclear" ? `unclear: ${word.why}` : word.kind;
}

/** States of payouts that are already paid, and of physical prizes. */
const NOTHING_TO_PAY: ReadonlySet<PayoutState> = new Set(["paid", "delivered", "waiting_delivery"]);

export function later(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}

function changed(payout: PayoutFacts, state: PayoutState, next_at: Date): PayoutChange {
  const { unknown_since, asked, never_seen_at, resent, contested_state } = payout;
  const { check_reason, fail_reason } = payout;
  const doubt = { contested_state, contested_check_reason: payout.contested_check_reason };
  const facts = { unknown_since, asked, never_seen_at, resent, ...doubt };
  const why =
    contested_state === null
      ? { check_reason: null, fail_reason: null }
      : { check_reason, fail_reason };
  return { ...facts, ...why, wallet_ref: null, paid_at: null, state, next_at };
}

function ended(payout: PayoutFacts, state: "paid" | ContestedState, now: Date): PayoutChange {
  const settled = { contested_state: null, contested_check_reason: null, unknown_since: null };
  return changed({ ...payout, ...settled, never_seen_at: null }, state, now);
}

function paid(payout: PayoutFacts, wallet_ref: string | null, now: Date): PayoutChange {
  return {
    ...ended(payout, "paid", now),
    paid_at: now,
    wallet_ref: payout.is_erased ? null : wallet_ref,
  };
}

function refused(payout: PayoutFacts, reason: string, now: Date): PayoutChange {
  return {
    ...ended(payout, "refused", now),
    fail_reason: payout.is_erased ? reasonOf(null) : reason,
  };
}

/** Returns the contested state with its reasons, or null when the payout is not contested. */
function asBefore(payout: PayoutFacts, now: Date): PayoutChange | null {
  const { contested_state, contested_check_reason: check_reason, fail_reason } = payout;
  return contested_state && { ...ended(payout, contested_state, now), check_reason, fail_reason };
}

function toCheck(payout: PayoutFacts, check_reason: CheckReason, now: Date): PayoutChange {
  return { ...changed(payout, "check", now), check_reason };
}

/** Returns the time of the next query after `asked` queries. `last` is the time of the last query. */
function nextQuestion(asked: number, last: Date, now: Date, schedule: PayoutSchedule): Date {
  const { askAfterMs, askEveryMs } = schedule;
  const due = askAfterMs[asked];
  const gap = due === undefined ? askEveryMs : due - (askAfterMs[asked - 1] ?? 0);
  // If the last query took longer than the interval, the next query is due at once.
  return new Date(Math.max(now.getTime(), later(last, gap).getTime()));
}

function neverSeenGap(payout: PayoutFacts, schedule: PayoutSchedule): number {
  return schedule.neverSeenGapMs * 2 ** Math.min(payout.resent, GAP_DOUBLINGS_MAX);
}

/** Returns whether the wallet may have forgotten the payout. A new send might then pay the payout twice. */
function isPastRetention(payout: PayoutFacts, now: Date, schedule: PayoutSchedule): boolean {
  const { first_sent_at } = payout;
  return first_sent_at !== null && now.getTime() - first_sent_at.getTime() >= schedule.retentionMs;
}

/** Plans the next query, sends the payout again once this is allowed, and ends in a manual check. */
function stillUnknown(
  payout: PayoutFacts,
  heard: HeardAnswer,
  now: Date,
  schedule: PayoutSchedule,
): PayoutChange {
  const unknown_since = payout.unknown_since ?? now;
  const asked = heard.kind === "pay" ? 0 : payout.asked + 1;
  const last = heard.kind === "pay" ? now : heard.calledAt;
  const next_at = nextQuestion(asked, last, now, schedule);
  const facts = { ...payout, unknown_since, asked };
  if (now.getTime() - unknown_since.getTime() >= schedule.checkAfterMs) {
    return toCheck(facts, "unanswered", now);
  }
  if (heard.word.kind === "processing") {
    return changed({ ...facts, never_seen_at: null }, "unknown", next_at);
  }
  if (heard.word.kind !== "never_seen") {
    return changed(facts, "unknown", next_at);
  }
  const never_seen_at = payout.never_seen_at ?? now;
  const maySendAt = later(never_seen_at, neverSeenGap(payout, schedule));
  if (now.getTime() >= maySendAt.getTime() && payout.never_seen_at !== null) {
    if (isPastRetention(payout, now, schedule)) {
      return toCheck(facts, "past_retention", now);
    }
    const before = asBefore(payout, now);
    if (before !== null) {
      return before;
    }
    const requeued = { ...facts, asked: 0, never_seen_at: null, resent: payout.resent + 1 };
    return changed(requeued, "queued", now);
  }
  const next = new Date(Math.min(next_at.getTime(), maySendAt.getTime()));
  return changed({ ...facts, never_seen_at }, "unknown", next);
}

function settleAnswer(
  payout: PayoutFacts,
  heard: HeardAnswer,
  now: Date,
  schedule: PayoutSchedule,
): PayoutChange | null {
  if (!heard.holdsLease) {
    return null;
  }
  return heard.word.kind === "refused"
    ? (asBefore(payout, now) ?? refused(payout, heard.word.reason, now))
    : stillUnknown(payout, heard, now, schedule);
}

/**
 * Handles a "refused" that does not answer a call of ours. After a single send the refusal must be about that
 * send. After several sends a later send may have been paid, so the wallet is queried at once.
 */
function settleRefusal(
  payout: PayoutFacts,
  heard: HeardCallback,
  reason: string,
  now: Date,
): PayoutChange | null {
  const isCertain = heard.sent <= 1 && !heard.isReissued;
  switch (payout.state) {
    case "queued":
    case "sending":
      return isCertain ? refused(payout, reason, now) : null;
    case "unknown":
    case "check":
      return isCertain ? refused(payout, reason, now) : changed(payout, "unknown", now);
    case "paid":
    case "delivered":
    case "refused":
    case "closed":
    case "waiting_delivery":
      return null;
    default:
      return payout.state satisfies never;
  }
}

/**
 * Handles a callback. "paid" makes a refused or closed payout unknown and due for a query at once; until the
 * answer to this query, no other callback counts. A payout that is queued for re-issue needs no change, because
 * its next call is a query.
 */
function settleCallback(payout: PayoutFacts, heard: HeardCallback, now: Date): PayoutChange | null {
  const { word } = heard;
  const { state } = payout;
  if (payout.contested_state !== null) {
    return null;
  }
  if (word.kind === "refused") {
    return settleRefusal(payout, heard, word.reason, now);
  }
  if (state === "refused" || state === "closed") {
    const doubted = { unknown_since: now, asked: 0, never_seen_at: null, contested_state: state };
    const why = { contested_check_reason: payout.check_reason };
    return changed({ ...payout, ...doubted, ...why }, "unknown", now);
  }
  return state === "queued" && heard.isReissued ? null : paid(payout, word.wallet_ref, now);
}

/** Returns the columns to write, or null when nothing changes. */
export function settlePayout(
  payout: PayoutFacts,
  heard: HeardAnswer | HeardCallback | HeardStatement,
  now: Date,
  schedule: PayoutSchedule,
): PayoutChange | null {
  if (heard.word.kind === "paid" && NOTHING_TO_PAY.has(payout.state)) {
    return null;
  }
  if (heard.by === "callback") {
    return settleCallback(payout, heard, now);
  }
  if (heard.word.kind === "paid") {
    return paid(payout, heard.word.wallet_ref, now);
  }
  return heard.by === "answer" ? settleAnswer(payout, heard, now, schedule) : null;
}
