/** The wallet's later word on a payout that it was processing (platform-api; behaviour §6). */
import { AppError } from "@red/contract/errors";
import { AWARD_STATUS, STATUS_OF_STATE } from "@red/contract/lookups";
import type { PayoutState } from "@red/contract/lookups";
import { EXTERNAL_ID_LENGTH_MAX } from "@red/contract/limits";
import { formatCents } from "@red/contract/money";
import { PAYOUT_SCHEDULE, printable, reasonOf, settlePayout } from "./payout-rules.ts";
import type { HeardCallback } from "./payout-rules.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { lockPayoutByTransSn, updatePayouts } from "./payout-sql.ts";
import { notifyPayoutWorkers } from "#platform/listen";
import { countSendings, insertHeardAttempts } from "./payout-attempt-sql.ts";
import type { Tx } from "#platform/connection";

/** What the wallet sends. */
export interface LaterWord {
  readonly trans_sn: string;
  readonly status: "paid" | "refused";
  readonly amount_cents: number;
  readonly reason: string | null;
  readonly wallet_ref: string | null;
}

function wordOf({ status, reason, wallet_ref }: LaterWord): HeardCallback["word"] {
  return status === "paid"
    ? {
        kind: "paid",
        wallet_ref: wallet_ref === null ? null : printable(wallet_ref, EXTERNAL_ID_LENGTH_MAX),
      }
    : { kind: "refused", reason: reasonOf(reason) };
}

/** The dispatch status that a word leads to; the same word in that status is a mere repetition. */
const STATUS_OF_WORD = {
  paid: AWARD_STATUS.success,
  refused: AWARD_STATUS.failed,
} as const;

/** How a "paid" is kept that contradicts a refusal: no word yet, and the wallet is asked for one. */
const CONTRADICTS = "unclear: paid after a refusal";

/** What was said, as it is kept beside the attempt. */
function shown(word: HeardCallback["word"], { trans_sn, amount_cents }: LaterWord): string {
  const { kind: status, ...rest } = word;
  return JSON.stringify({ status, trans_sn, amount: formatCents(amount_cents), ...rest });
}

/**
 * Applies the word under lock and answers the state that the payout is in then. A repetition changes
 * nothing, and "refused" never undoes "paid". After a refusal "paid" only makes us ask the wallet. Throws
 * payout_not_found (also for what no wallet pays and for what was never sent) and payout_result_mismatch when the amount is another.
 */
export async function takePayoutWord(tx: Tx, actor: Actor, later: LaterWord): Promise<PayoutState> {
  const payout = await lockPayoutByTransSn(tx, later.trans_sn);
  if (payout === null || payout.amount_cents === 0) {
    throw new AppError("payout_not_found");
  }
  if (payout.amount_cents !== later.amount_cents) {
    throw new AppError("payout_result_mismatch");
  }
  const { log_id, state } = payout;
  const sent = await countSendings(tx, log_id);
  if (sent === 0) {
    // Nobody has asked the wallet yet: a word about it can be no wallet's.
    throw new AppError("payout_not_found");
  }
  const word = wordOf(later);
  const heard: HeardCallback = {
    by: "callback",
    word,
    sent,
    isReissued: payout.requested_by !== null,
  };
  const change = settlePayout(payout, heard, payout.now, PAYOUT_SCHEDULE);
  const after = change?.state ?? state;
  // While the wallet is asked, both words have been said before.
  const isRepeated =
    payout.contested_state !== null || STATUS_OF_STATE[state] === STATUS_OF_WORD[word.kind];
  if (change !== null || !isRepeated) {
    const outcome = word.kind === "paid" && after !== "paid" ? CONTRADICTS : word.kind;
    await insertHeardAttempts(tx, "callback", outcome, [{ log_id, answer: shown(word, later) }]);
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
