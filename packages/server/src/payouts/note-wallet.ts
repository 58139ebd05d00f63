/**
 * Tells all processes what the wallet's answers say of its health (behaviour §6). While the wallet is
 * well there is nothing to tell, and no answer costs a write.
 */
import { bringQuestionsForward, selectIsSendingDue } from "./payout-claim-sql.ts";
import { lockWallet, updateWallet } from "./wallet-health-sql.ts";
import type { WalletState } from "./wallet-health-sql.ts";
import {
  afterAnswer,
  withPause,
  isInTrouble,
  showsTaking,
  withoutTrouble,
} from "./wallet-rules.ts";
import type { WalletLane, WalletNote, WalletPatience } from "./wallet-rules.ts";
import { inTransaction } from "#platform/connection";
import type { Db, Tx } from "#platform/connection";

/** So many questions are brought forward at once; the others keep their time. */
const FORWARD_MAX = 1_000;

/** How a kind of call stands before and after. */
interface LaneChange {
  readonly before: WalletLane;
  readonly after: WalletLane;
}

function changeOf(
  before: WalletLane,
  notes: readonly WalletNote[],
  now: Date,
  patience: WalletPatience,
): LaneChange {
  let after = before;
  for (const note of notes) {
    after = note.kind === before.kind ? afterAnswer(after, note, now, patience) : after;
    // A wallet that wishes for a pause wishes it from every kind of call.
    after = note.retryAfterMs === null ? after : withPause(after, note.retryAfterMs, now, patience);
  }
  return { before, after };
}

/**
 * When asking goes well again after a trouble, sending is tried at once. Where nothing is queued that
 * could be tried, the trouble is over, as it is when the wallet knows a payment that was sent in it.
 */
async function afterAsking(
  tx: Tx,
  pay: WalletLane,
  hasRecovered: boolean,
  notes: readonly WalletNote[],
  { now }: WalletState,
  patience: WalletPatience,
): Promise<WalletLane> {
  if (!isInTrouble(pay, now, patience) || !(hasRecovered || notes.some(showsTaking))) {
    return pay;
  }
  if (!(await selectIsSendingDue(tx))) {
    return withoutTrouble(pay);
  }
  return hasRecovered ? { ...pay, next_try_at: now } : pay;
}

/**
 * Notes answers in the order in which they came. After a long trouble, what is unknown is asked about
 * at once: its next question might be five minutes away.
 */
export async function noteWallet(
  tx: Tx,
  wallet: string,
  notes: readonly WalletNote[],
  patience: WalletPatience,
): Promise<void> {
  const state = await lockWallet(tx, wallet);
  const { now } = state;
  const pay = changeOf(state.pay, notes, now, patience);
  const query = changeOf(state.query, notes, now, patience);
  const isOver = ({ before, after }: LaneChange) =>
    isInTrouble(before, now, patience) && !isInTrouble(after, now, patience);
  const sending = await afterAsking(tx, pay.after, isOver(query), notes, state, patience);
  const isNew = (lane: WalletLane) => lane !== state[lane.kind];
  await updateWallet(tx, wallet, [sending, query.after].filter(isNew));
  const wasLong = [{ ...pay, after: sending }, query].some(
    (change) =>
      isOver(change) &&
      now.getTime() - (change.before.trouble_since ?? now).getTime() >= patience.longTroubleMs,
  );
  if (wasLong) {
    await bringQuestionsForward(tx, FORWARD_MAX);
  }
}

/** What one process has heard of the wallet and not told the others yet. */
export interface WalletWatch {
  /** Notes one answer. */
  note(note: WalletNote): void;
  /** Says whether anybody knows of a trouble: then good answers are worth telling too. */
  learn(isTroubled: boolean): void;
  /** Tells all that was noted; whoever calls the wallet next sees it. Rejects when the database does. */
  flush(): Promise<void>;
}

export function watchWallet(db: Db, wallet: string, patience: WalletPatience): WalletWatch {
  let notes: readonly WalletNote[] = [];
  let isTroubled = true;
  return {
    note(note) {
      const isBad = note.word.kind === "unclear" || note.retryAfterMs !== null;
      if (isBad || isTroubled || notes.length > 0) {
        notes = [...notes, note];
      }
    },
    learn(known) {
      isTroubled = known;
    },
    async flush() {
      const told = notes;
      if (told.length === 0) {
        return;
      }
      notes = [];
      try {
        await inTransaction(db, (tx) => noteWallet(tx, wallet, told, patience));
      } catch (fault) {
        notes = [...told, ...notes];
        throw fault;
      }
    },
  };
}
