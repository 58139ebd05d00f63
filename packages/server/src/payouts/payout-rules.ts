/**
 * What becomes of a payout when the wallet is heard, or not heard (behaviour §6). Pure: the caller
 * holds the row locked and reads the database's clock.
 *
 * Only the wallet's own word ends a payout. A matching "paid" is true whenever it comes, because a
 * wallet never takes it back: it ends a payout in any state, also when it answers a call whose lease
 * was lost long ago. Only a callback is not enough after a refusal, because it takes no more than a key:
 * then we ask the wallet and count its answer. A "refused" says nothing of calls that came after it, so
 * it counts only where no other call can have been paid meanwhile. Everything else leaves the payout
 * unknown.
 */
import { REASON_LENGTH_MAX } from "@red/contract/limits";
import type { CheckReason, ContestedState, PayoutState } from "@red/contract/lookups";

/** How long to wait for what; milliseconds throughout. */
export interface PayoutSchedule {
  /** How long a claimed payout stays with its worker unless the worker renews that. */
  readonly leaseMs: number;
  /** When an unknown payout is asked about, counted from when it became unknown. */
  readonly askAfterMs: readonly number[];
  /** Pause between questions after those. */
  readonly askEveryMs: number;
  /** How far apart two "never seen" must be before it is sent again; doubled by every such sending. */
  readonly neverSeenGapMs: number;
  /** Unknown for so long, it is left to people and never sent again by itself. */
  readonly checkAfterMs: number;
  /** For so long after its first sending the wallet is trusted to know it; never sent after that. */
  readonly retentionMs: number;
}

/** The schedule of behaviour §6. */
export const PAYOUT_SCHEDULE: PayoutSchedule = {
  leaseMs: 15_000,
  askAfterMs: [2_000, 5_000, 15_000, 60_000],
  askEveryMs: 300_000,
  neverSeenGapMs: 30_000,
  checkAfterMs: 86_400_000,
  retentionMs: 120 * 86_400_000,
};

/** The schedule for a wallet that remembers a `trans_sn` for so many days. */
export function scheduleFor(retentionDays: number): PayoutSchedule {
  return { ...PAYOUT_SCHEDULE, retentionMs: retentionDays * 86_400_000 };
}

/**
 * What a wallet does not take is sent less and less often, up to four minutes apart: one that is well
 * again has all that was unknown settled within ten.
 */
const GAP_DOUBLINGS_MAX = 3;

/** Why an answer, or its absence, says nothing about the payout. */
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

/** What the wallet said of a payout, with matching `trans_sn` and amount, or why nobody knows. */
export type WalletWord =
  | { readonly kind: "paid"; readonly wallet_ref: string | null }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "processing" }
  | { readonly kind: "never_seen" }
  | { readonly kind: "unclear"; readonly why: UnclearWhy };

/** What the rules read of a payout. */
export interface PayoutFacts {
  readonly state: PayoutState;
  readonly unknown_since: Date | null;
  /** Questions asked since it was last sent. */
  readonly asked: number;
  /** The first "never seen" since it was last sent. */
  readonly never_seen_at: Date | null;
  /** How often it was sent again because the wallet had never seen it. */
  readonly resent: number;
  /** When it was sent for the first time, ever. */
  readonly first_sent_at: Date | null;
  /** What it was before that was put in doubt, and is again unless the wallet has paid it. */
  readonly contested_state: ContestedState | null;
  /** The `check_reason` that it had then; while it is in doubt it may be left to people for another. */
  readonly contested_check_reason: CheckReason | null;
  readonly check_reason: CheckReason | null;
  readonly fail_reason: string | null;
}

/** What the rules write; all of it, also what stays as it was. */
export interface PayoutChange extends Omit<PayoutFacts, "first_sent_at"> {
  readonly next_at: Date;
  readonly wallet_ref: string | null;
  readonly paid_at: Date | null;
}

/** The answer to a call of ours, or its absence. */
export interface HeardAnswer {
  readonly by: "answer";
  readonly kind: "pay" | "query";
  readonly calledAt: Date;
  /** Is the payout still in the hands of the worker that made the call? */
  readonly holdsLease: boolean;
  readonly word: WalletWord;
}

/** The wallet's later word, which names no call. */
export interface HeardCallback {
  readonly by: "callback";
  readonly word: Extract<WalletWord, { kind: "paid" | "refused" }>;
  /** How often the payout was sent, ever. */
  readonly sent: number;
  /** Queued by an operator after an earlier refusal, and not sent since. */
  readonly isReissued: boolean;
}

/** What the wallet's statement lists. */
export interface HeardStatement {
  readonly by: "statement";
  readonly word: Extract<WalletWord, { kind: "paid" }>;
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;

/** A wallet's text as it can be kept and shown: printable, in one line, at most `max` characters. */
export function printable(text: string, max: number): string {
  return Array.from(text.replaceAll(UNPRINTABLE, " ").trim()).slice(0, max).join("");
}

/** The reason of a refusal as it is kept (behaviour §6); a wallet may leave it out. */
export function reasonOf(reason: string | null | undefined): string {
  const kept = printable(reason ?? "", REASON_LENGTH_MAX);
  return kept === "" ? "no reason given" : kept;
}

/** How an attempt's outcome is written down. */
export function outcomeOf(word: WalletWord): string {
  return word.kind === "unclear" ? `unclear: ${word.why}` : word.kind;
}

/** Paid already, or a thing that no wallet pays. */
const NOTHING_TO_PAY: ReadonlySet<PayoutState> = new Set(["paid", "delivered", "waiting_delivery"]);

function later(instant: Date, ms: number): Date {
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
  return { ...ended(payout, "paid", now), paid_at: now, wallet_ref };
}

function refused(payout: PayoutFacts, reason: string, now: Date): PayoutChange {
  return { ...ended(payout, "refused", now), fail_reason: reason };
}

/** What was put in doubt is again what it was, for the reasons that it had; null: nothing was. */
function asBefore(payout: PayoutFacts, now: Date): PayoutChange | null {
  const { contested_state, contested_check_reason: check_reason, fail_reason } = payout;
  return contested_state && { ...ended(payout, contested_state, now), check_reason, fail_reason };
}

/** Left to people. */
function toCheck(payout: PayoutFacts, check_reason: CheckReason, now: Date): PayoutChange {
  return { ...changed(payout, "check", now), check_reason };
}

/** When to ask next, `asked` questions having been asked, the last of them at `last`. */
function nextQuestion(asked: number, last: Date, now: Date, schedule: PayoutSchedule): Date {
  const { askAfterMs, askEveryMs } = schedule;
  const due = askAfterMs[asked];
  const gap = due === undefined ? askEveryMs : due - (askAfterMs[asked - 1] ?? 0);
  // A question that took longer than the pause is followed by the next one at once.
  return new Date(Math.max(now.getTime(), later(last, gap).getTime()));
}

/** How far apart the two "never seen" must be this time. */
function neverSeenGap(payout: PayoutFacts, schedule: PayoutSchedule): number {
  return schedule.neverSeenGapMs * 2 ** Math.min(payout.resent, GAP_DOUBLINGS_MAX);
}

/** May the wallet have forgotten it? Sent again, it might then be paid a second time. */
function isPastRetention(payout: PayoutFacts, now: Date, schedule: PayoutSchedule): boolean {
  const { first_sent_at } = payout;
  return first_sent_at !== null && now.getTime() - first_sent_at.getTime() >= schedule.retentionMs;
}

/** Nobody knows: asked again by the schedule, sent again once it may be, left to people in the end. */
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
    const again = { ...facts, asked: 0, never_seen_at: null, resent: payout.resent + 1 };
    return changed(again, "queued", now);
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
 * A refusal that comes by itself. With one sending only, it can be about no other. With several, a
 * later one may have been paid: then it is a reason to ask at once, and no more.
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
 * A later word. What was refused or closed becomes unknown by a "paid" and is asked about at once; until
 * that is answered no further word counts. What is about to be sent again asks by that.
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

/** What to write after something was heard; null when it changes nothing. */
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
