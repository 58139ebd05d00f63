/** Claims due payouts and records their attempts, before any call is made (behaviour §6). */
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
  /** Tests whether a wallet in trouble has recovered; other calls wait for its answer. */
  readonly isTry: boolean;
  readonly call: PayoutCall;
}

export interface CallRules {
  readonly schedule: PayoutSchedule;
  readonly patience: WalletPatience;
  /** The wallet's name in the state that all processes share. */
  readonly wallet: string;
  /** Most calls per second; null: no limit. */
  readonly perSecond: number | null;
  /** Business time zone, used for the time in a call. */
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

/** Reads the wallet's state, and locks it only if this transaction may change it: a healthy wallet needs no lock. */
async function readWallet(tx: Tx, { wallet, perSecond }: CallRules): Promise<WalletState> {
  const state = await selectWallet(tx, wallet);
  const isPlain = isUntroubled(state.pay, state.now) && isUntroubled(state.query, state.now);
  return isPlain && perSecond === null ? state : await lockWallet(tx, wallet);
}

/** How many calls the pace of a locked wallet allows. `take` records how many were made. */
async function readPace(tx: Tx, wallet: string, perSecond: number, at: Date) {
  const slot = await selectSlot(tx, wallet);
  const now = at.getTime();
  return {
    count: grantOf(perSecond, slot, now).count,
    /** Returns how long the next call must wait, ms. */
    take: async (count: number): Promise<number> => {
      const next = count === 0 ? slot : slotAfter(perSecond, slot, now, count);
      if (count > 0) {
        await updateSlot(tx, wallet, next);
      }
      return grantOf(perSecond, next, now).waitMs;
    },
  };
}

/** Milliseconds until the next call, at least `graceMs`; null when no payout waits. */
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
    // A wallet in trouble is tried with an unknown payout before that is due.
    const isEager = lane.kind === "query" && isInTrouble(lane, state.now, patience);
    return dueMs === null ? [] : Math.max(isEager ? heldMs : dueMs, heldMs, graceMs);
  });
  return waits.length === 0 ? null : Math.min(...waits);
}

/**
 * Claims up to `limit` due payouts, as many as the wallet's health and pace allow. Each gets a lease and an attempt
 * "started". Make the calls after the commit; after a crash the payouts are unknown, not unpaid. `isFull`: the limit
 * was reached, so more may be due now. `waitMs`: time until more may be due; null when no payout waits.
 * `isTroubled`: the wallet is known to be in trouble.
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
    // A wallet in trouble is tried with any unknown payout, or its recovery would go unnoticed.
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
