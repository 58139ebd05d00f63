/** Writes down what the wallet answered, and what follows from it (behaviour §6). */
import type { DueCall } from "./take-due-calls.ts";
import { outcomeOf, settlePayout } from "./payout-rules.ts";
import type { PayoutSchedule, WalletWord } from "./payout-rules.ts";
import { lockPayouts, updatePayouts } from "./payout-sql.ts";
import { finishAttempts } from "./payout-attempt-sql.ts";
import type { LockedPayout, PayoutUpdate } from "./payout-sql.ts";
import type { Tx } from "#platform/connection";

/** A call that was made, and what came of it. */
export interface AnsweredCall {
  readonly due: DueCall;
  readonly word: WalletWord;
  readonly duration_ms: number;
  readonly http_status: number | null;
  readonly answer: string | null;
}

/** The payout after one more answer; null when the answer changes nothing. */
function settleOne(
  payout: LockedPayout,
  { due, word }: AnsweredCall,
  schedule: PayoutSchedule,
): PayoutUpdate | null {
  const holdsLease = payout.state === "sending" && payout.fence === due.fence;
  const heard = { by: "answer", kind: due.kind, calledAt: due.calledAt, holdsLease, word } as const;
  const change = settlePayout(payout, heard, payout.now, schedule);
  return change && { ...change, log_id: payout.log_id };
}

/**
 * Settles many calls in one transaction. An answer whose lease was lost is kept in its attempt and
 * changes nothing, unless it is "paid".
 */
export async function settlePayouts(
  tx: Tx,
  answered: readonly AnsweredCall[],
  schedule: PayoutSchedule,
): Promise<void> {
  const log_ids = [...new Set(answered.map((one) => one.due.log_id))];
  const payouts = new Map(
    (await lockPayouts(tx, log_ids)).map((payout) => [payout.log_id, payout]),
  );
  const updates = new Map<number, PayoutUpdate>();
  for (const one of answered) {
    const payout = payouts.get(one.due.log_id);
    const update = payout && settleOne(payout, one, schedule);
    if (payout && update) {
      // A second answer about the same payout is judged by what the first one made of it.
      payouts.set(payout.log_id, { ...payout, ...update });
      updates.set(payout.log_id, update);
    }
  }
  await updatePayouts(tx, [...updates.values()]);
  await finishAttempts(
    tx,
    answered.map(({ due, word, duration_ms, http_status, answer }) => ({
      log_id: due.log_id,
      no: due.no,
      outcome: outcomeOf(word),
      duration_ms,
      http_status,
      answer,
    })),
  );
}
