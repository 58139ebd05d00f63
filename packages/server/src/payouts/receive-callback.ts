/** The wallet's callback about a payout that it was processing (platform-api; behaviour §6). */
import { AppError } from "@red/contract/platform/errors";
import { AWARD_STATUS, STATUS_OF_STATE } from "@red/contract/platform/lookups";
import type { PayoutState } from "@red/contract/platform/lookups";
import { EXTERNAL_ID_LENGTH_MAX } from "@red/contract/platform/limits";
import { formatCents } from "@red/contract/platform/money";
import type { payoutRoutes } from "@red/contract/payouts/payout";
import type { Received } from "@red/contract/platform/route";
import { PAYOUT_SCHEDULE, printable, reasonOf, settlePayout } from "./payout-rules.ts";
import type { HeardCallback } from "./payout-rules.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import {
  countSendings,
  insertHeardAttempts,
  lockPayoutByTransSn,
  updatePayouts,
} from "./payout-sql.ts";
import { notifyPayoutWorkers } from "#platform/db/listen";
import type { Tx } from "#platform/db/connection";

/** As parsed; the amount in cents. */
type LaterWord = Received<typeof payoutRoutes.result>["body"];

function wordOf({ status, reason, wallet_ref = null }: LaterWord): HeardCallback["word"] {
  return status === "paid"
    ? { kind: "paid", wallet_ref: wallet_ref && printable(wallet_ref, EXTERNAL_ID_LENGTH_MAX) }
    : { kind: "refused", reason: reasonOf(reason) };
}

/** The dispatch status that a callback means; in that status the same callback is a repetition. */
const STATUS_OF_WORD = {
  paid: AWARD_STATUS.success,
  refused: AWARD_STATUS.failed,
} as const;

/** The outcome of a "paid" that contradicts a refusal: not counted, and the wallet is queried. */
const CONTRADICTS = "unclear: paid after a refusal";

function shown(word: HeardCallback["word"], trans_sn: string, cents: number): string {
  const { kind: status, ...rest } = word;
  return JSON.stringify({ status, trans_sn, amount: formatCents(cents), ...rest });
}

/**
 * Applies a callback under lock and returns the payout's state after it. A repetition changes nothing, and
 * "refused" never undoes "paid". A "paid" after a refusal only causes a query. Throws payout_not_found (also
 * for a physical prize and for a payout that was never sent), and payout_result_mismatch when the amount
 * differs.
 */
export async function receiveCallback(
  tx: Tx,
  actor: Actor,
  trans_sn: string,
  later: LaterWord,
): Promise<PayoutState> {
  const payout = await lockPayoutByTransSn(tx, trans_sn);
  if (payout === null || payout.amount_cents === 0) {
    throw new AppError("payout_not_found");
  }
  if (payout.amount_cents !== later.amount) {
    throw new AppError("payout_result_mismatch");
  }
  const { log_id, state } = payout;
  const sent = await countSendings(tx, log_id);
  if (sent === 0 && payout.first_sent_at === null) {
    // Never sent, so the callback cannot come from the wallet.
    throw new AppError("payout_not_found");
  }
  const word = wordOf(later);
  const isReissued = payout.requested_by !== null;
  const heard: HeardCallback = { by: "callback", word, sent, isReissued };
  const change = settlePayout(payout, heard, payout.now, PAYOUT_SCHEDULE);
  const after = change?.state ?? state;
  // While the payout is contested, both results have been heard before.
  const isRepeated =
    payout.contested_state !== null || STATUS_OF_STATE[state] === STATUS_OF_WORD[word.kind];
  if (change !== null || !isRepeated) {
    const outcome = word.kind === "paid" && after !== "paid" ? CONTRADICTS : word.kind;
    const answer = payout.is_erased ? null : shown(word, trans_sn, payout.amount_cents);
    await insertHeardAttempts(tx, "callback", outcome, [{ log_id, answer }]);
  }
  if (change === null) {
    return state;
  }
  await updatePayouts(tx, [{ ...change, log_id }]);
  await insertAudit(tx, actor, {
    action: "take_payout_word",
    object_type: "payout",
    object_id: log_id,
    before: { state },
    after: { state: change.state, word: word.kind },
  });
  if (change.state === "unknown") {
    await notifyPayoutWorkers(tx);
  }
  return change.state;
}
