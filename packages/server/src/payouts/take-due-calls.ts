/** Claims due payouts and stores their attempts before any call is made (behaviour §6). */
import { formatRfc3339 } from "@red/contract/platform/datetime";
import { formatCents } from "@red/contract/platform/money";
import type { PayoutCall } from "@red/contract/payouts/payout";
import type { PayoutSchedule } from "./payout-rules.ts";
import { grantOf, slotAfter } from "./wallet-pace.ts";
import { isInTrouble, isUntroubled, nextCallAt, roomOf, afterTry } from "./wallet-health.ts";
import type { WalletCallKind, WalletPatience } from "./wallet-health.ts";
import { claimPayouts, selectNextDue } from "./payout-claim-sql.ts";
import type { ClaimedPayout } from "./payout-claim-sql.ts";
import { insertAttempts } from "./payout-sql.ts";
import {
  lockWallet,
  selectSlot,
  selectWallet,
  updateSlot,
  updateWallet,
} from "./wallet-health-sql.ts";
import type { WalletState } from "./wallet-health-sql.ts";
import type { Tx } from "#platform/db/connection";

export interface DueCall {
  readonly log_id: number;
  readonly fence: number;
  readonly no: number;
  readonly kind: WalletCallKind;
  readonly calledAt: Date;
  /** Whether this call tests if a wallet in trouble has recovered. All other calls wait for its answer. */
  readonly isTry: boolean;
  readonly call: PayoutCall;
}

export interface CallRules {
  readonly schedule: PayoutSchedule;
  readonly patience: WalletPatience;
  /** The wallet's name in the health state that all processes share. */
  readonly wallet: string;
  /** Maximum number of calls per second; null means no limit. */
  readonly perSecond: number | null;
  /** Business time zone of the times in a call. */
  readonly timeZone: string;
}

function callOf(claimed: ClaimedPayout, timeZone: string): PayoutCall {
  return {
    trans_sn: claimed.trans_sn,
    player_id: claimed.player_id,
    user_name: claimed.user_name,
    amount: formatCents(claimed.amount_cents),
    turnover: claimed.turnover,
    red_code: claimed.red_code,
    rounds_id: claimed.rounds_id,
    created_at: formatRfc3339(claimed.created_at, timeZone),
  };
}

function requestOf({ kind, call }: DueCall): string {
  return kind === "pay" ? `POST /payouts ${JSON.stringify(call)}` : `GET /payouts/${call.trans_sn}`;
}

/**
 * Reads the wallet's state. Locks it only if this transaction may change the state; a healthy wallet without a
 * rate limit needs no lock.
 */
async function readWallet(tx: Tx, { wallet, perSecond }: CallRules): Promise<WalletState> {
  const state = await selectWallet(tx, wallet);
  const isPlain = isUntroubled(state.pay, state.now) && isUntroubled(state.query, state.now);
  return isPlain && perSecond === null ? state : await lockWallet(tx, wallet);
}

/** Returns how many calls the rate limit of a locked wallet allows. `take` stores how many calls were made. */
async function readPace(tx: Tx, wallet: string, perSecond: number, at: Date) {
  const slot = await selectSlot(tx, wallet);
  const now = at.getTime();
  return {
    count: grantOf(perSecond, slot, now).count,
    /** Stores `count` calls and returns the wait until the next call in ms. */
    take: async (count: number): Promise<number> => {
      const next = count === 0 ? slot : slotAfter(perSecond, slot, now, count);
      if (count > 0) {
        await updateSlot(tx, wallet, next);
      }
      return grantOf(perSecond, next, now).waitMs;
    },
  };
}

/** Returns the milliseconds until the next call, at least `graceMs`, or null when no payout waits. */
async function waitForMore(
  tx: Tx,
  state: WalletState,
  { patience }: CallRules,
  graceMs: number,
): Promise<number | null> {
  const due = await selectNextDue(tx);
  const waits = [state.pay, state.query].flatMap((lane) => {
    const { [lane.kind]: dueMs } = due;
    const heldMs = nextCallAt(lane, state.now, patience).getTime() - state.now.getTime();
    // An unknown payout may test a wallet in trouble before its own query is due.
    const isEager = lane.kind === "query" && isInTrouble(lane, state.now, patience);
    return dueMs === null ? [] : Math.max(isEager ? heldMs : dueMs, heldMs, graceMs);
  });
  return waits.length === 0 ? null : Math.min(...waits);
}

/**
 * Claims up to `limit` due payouts, as far as the wallet's health and rate limit allow, and gives each payout a
 * lease and an attempt "started". Make the calls after the commit: then a crash leaves these payouts unknown
 * instead of unpaid. In the result, `isFull` means that more payouts may be due now, `waitMs` is the time until
 * the next call (null when no payout waits), and `isTroubled` means that the wallet is known to be in trouble.
 */
export async function takeDueCalls(tx: Tx, limit: number, rules: CallRules) {
  const { schedule, patience, wallet, perSecond, timeZone } = rules;
  const state = await readWallet(tx, rules);
  const { now } = state;
  const pace = perSecond === null ? null : await readPace(tx, wallet, perSecond, now);
  const room = {
    all: Math.min(limit, pace?.count ?? limit),
    pay: roomOf(state.pay, now, patience),
    query: roomOf(state.query, now, patience),
    // Any unknown payout may test a wallet in trouble; otherwise nobody would notice the recovery.
    isEager: isInTrouble(state.query, now, patience),
  };
  const claimed = room.all === 0 ? [] : await claimPayouts(tx, room, schedule);
  const calls = claimed.map((payout) => ({
    log_id: payout.log_id,
    fence: payout.fence,
    no: payout.no,
    kind: payout.kind,
    calledAt: payout.called_at,
    isTry: isInTrouble(state[payout.kind], now, patience),
    call: callOf(payout, timeZone),
    operator: payout.operator,
  }));
  await insertAttempts(
    tx,
    calls.map((due) => ({
      log_id: due.log_id,
      no: due.no,
      kind: due.kind,
      operator: due.operator,
      request: requestOf(due),
    })),
  );
  const tries = [state.pay, state.query]
    .filter(({ kind }) => calls.some((due) => due.isTry && due.kind === kind))
    .map((lane) => afterTry(lane, now, patience));
  await updateWallet(tx, wallet, tries);
  const graceMs = (await pace?.take(calls.length)) ?? 0;
  const isTroubled = !(isUntroubled(state.pay, now) && isUntroubled(state.query, now));
  const isFull = calls.length === limit;
  const after = { ...state, ...Object.fromEntries(tries.map((lane) => [lane.kind, lane])) };
  const waitMs = isFull ? 0 : await waitForMore(tx, after, rules, graceMs);
  return { calls, isFull, waitMs, isTroubled };
}
