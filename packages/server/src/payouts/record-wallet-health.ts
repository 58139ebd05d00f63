/**
 * Stores the wallet's health for all processes, as its answers show it (behaviour §6). A good answer of a healthy
 * wallet writes nothing.
 */
import { bringQuestionsForward, selectNextDue } from "./payout-claim-sql.ts";
import { lockWallet, updateWallet } from "./wallet-health-sql.ts";
import type { WalletState } from "./wallet-health-sql.ts";
import {
  afterAnswer,
  withPause,
  isInTrouble,
  isLong,
  showsTaking,
  withoutTrouble,
} from "./wallet-health.ts";
import type { WalletLane, WalletNote, WalletPatience } from "./wallet-health.ts";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import type { Logger } from "pino";

/**
 * Maximum number of unknown payouts that are queried at once after a trouble. All other payouts keep their
 * scheduled time.
 */
const FORWARD_MAX = 1_000;

function changeOf(
  before: WalletLane,
  notes: readonly WalletNote[],
  now: Date,
  patience: WalletPatience,
) {
  let after = before;
  for (const note of notes) {
    after = note.kind === before.kind ? afterAnswer(after, note, now, patience) : after;
    // A pause that the wallet requests applies to sending and to querying.
    after = note.retryAfterMs === null ? after : withPause(after, note.retryAfterMs, now, patience);
  }
  return { before, after };
}

/**
 * Returns the sending lane after queries were answered. When queries recover, sending is tried at once. The trouble of
 * sending ends when no payout is queued for a try, or when the wallet knows a payment that was sent during the trouble.
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
  const { pay: dueMs } = await selectNextDue(tx);
  if (dueMs === null || dueMs > 0) {
    return withoutTrouble(pay);
  }
  return hasRecovered ? { ...pay, next_try_at: now } : pay;
}

/**
 * Records answers in the order of arrival. After a long trouble it makes unknown payouts due at once, because
 * their next query may be five minutes away. Returns the lanes in which a try confirmed or ended the trouble.
 */
export async function recordWalletHealth(
  tx: Tx,
  wallet: string,
  notes: readonly WalletNote[],
  patience: WalletPatience,
): Promise<WalletLane[]> {
  const state = await lockWallet(tx, wallet);
  const { now } = state;
  const pay = changeOf(state.pay, notes, now, patience);
  const query = changeOf(state.query, notes, now, patience);
  const isOver = ({ before, after }: ReturnType<typeof changeOf>) =>
    isInTrouble(before, now, patience) && !isInTrouble(after, now, patience);
  const sending = await afterAsking(tx, pay.after, isOver(query), notes, state, patience);
  const isNew = (lane: WalletLane) => lane !== state[lane.kind];
  await updateWallet(tx, wallet, [sending, query.after].filter(isNew));
  const changes = [{ ...pay, after: sending }, query];
  if (changes.some((change) => isOver(change) && isLong(change.before, now, patience))) {
    await bringQuestionsForward(tx, FORWARD_MAX);
  }
  return changes.flatMap(({ before, after }) =>
    before.tries > 0 === after.tries > 0 ? [] : [after],
  );
}

/** Collects the answers that this process has not shared yet. */
export function watchWallet(
  db: Db,
  wallet: string,
  patience: WalletPatience,
  log: Pick<Logger, "warn">,
) {
  let notes: readonly WalletNote[] = [];
  let isTroubled = true;
  return {
    note(note: WalletNote) {
      const isBad = note.word.kind === "unclear" || note.retryAfterMs !== null;
      if (isBad || isTroubled || notes.length > 0) {
        notes = [...notes, note];
      }
    },
    /** Sets whether a trouble is known. During a trouble, good answers are shared too. */
    learn(isKnown: boolean) {
      isTroubled = isKnown;
    },
    /**
     * Stores the collected answers, so that every later caller of the wallet sees them. Rejects when the database
     * fails.
     */
    async flush() {
      const unshared = notes;
      if (unshared.length === 0) {
        return;
      }
      notes = [];
      try {
        const turns = await inTransaction(db, (tx) =>
          recordWalletHealth(tx, wallet, unshared, patience),
        );
        for (const { kind, tries, last_answer } of turns) {
          const said = tries > 0 ? "the wallet is in trouble" : "the wallet is well again";
          log.warn({ wallet, call: kind, last_answer }, said);
        }
      } catch (fault) {
        notes = [...unshared, ...notes];
        throw fault;
      }
    },
  };
}
