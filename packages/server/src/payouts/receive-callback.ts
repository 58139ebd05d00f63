/** Handles the wallet's callback about a payout that the wallet was still processing (platform-api; behaviour §6). */
import { AppError } from "@red/contract/platform/errors";
import { AWARD_STATUS, STATUS_OF_STATE } from "@red/contract/platform/codes";
import type { PayoutState } from "@red/contract/platform/codes";
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

/** The parsed body. `amount` is in cents. */
type CallbackBody = Received<typeof payoutRoutes.result>["body"];

type Answer = HeardCallback["word"];

function answerOf({ status, reason, wallet_ref = null }: CallbackBody): Answer {
  return status === "paid"
    ? { kind: "paid", wallet_ref: wallet_ref && printable(wallet_ref, EXTERNAL_ID_LENGTH_MAX) }
    : { kind: "refused", reason: reasonOf(reason) };
}

/** The dispatch status that each answer leads to. A payout with that status received the same answer before. */
const STATUS_OF_ANSWER = {
  paid: AWARD_STATUS.success,
  refused: AWARD_STATUS.failed,
} as const;

/**
 * The outcome of a callback "paid" after a refusal. This callback does not count, and the worker queries the wallet.
 */
const CONTRADICTS = "unclear: paid after a refusal";

function jsonOf(answer: Answer, trans_sn: string, cents: number): string {
  const { kind: status, ...rest } = answer;
  return JSON.stringify({ status, trans_sn, amount: formatCents(cents), ...rest });
}

/**
 * Locks the payout, applies the callback and returns the new state. A repeated callback changes nothing,
 * "refused" never undoes "paid", and "paid" after a refusal only causes a query. Throws payout_not_found (also
 * for a physical prize or a payout that was never sent) and payout_result_mismatch when the amount differs.
 */
export async function receiveCallback(
  tx: Tx,
  actor: Actor,
  trans_sn: string,
  body: CallbackBody,
): Promise<PayoutState> {
  const payout = await lockPayoutByTransSn(tx, trans_sn);
  if (payout === null || payout.amount_cents === 0) {
    throw new AppError("payout_not_found");
  }
  if (payout.amount_cents !== body.amount) {
    throw new AppError("payout_result_mismatch");
  }
  const { log_id, state } = payout;
  const sent = await countSendings(tx, log_id);
  if (sent === 0 && payout.first_sent_at === null) {
    throw new AppError("payout_not_found");
  }
  const answer = answerOf(body);
  const isReissued = payout.requested_by !== null;
  const heard: HeardCallback = { by: "callback", word: answer, sent, isReissued };
  const change = settlePayout(payout, heard, payout.now, PAYOUT_SCHEDULE);
  const after = change?.state ?? state;
  // A contested payout has already received both answers.
  const isRepeated =
    payout.contested_state !== null || STATUS_OF_STATE[state] === STATUS_OF_ANSWER[answer.kind];
  if (change !== null || !isRepeated) {
    const outcome = answer.kind === "paid" && after !== "paid" ? CONTRADICTS : answer.kind;
    const json = payout.is_erased ? null : jsonOf(answer, trans_sn, payout.amount_cents);
    await insertHeardAttempts(tx, "callback", outcome, [{ log_id, answer: json }]);
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
    after: { state: change.state, word: answer.kind },
  });
  if (change.state === "unknown") {
    await notifyPayoutWorkers(tx);
  }
  return change.state;
}
