/** Takes payouts that are due and writes their attempts down, before any call is made (behaviour §6). */
import { formatRfc3339 } from "@red/contract/datetime";
import { formatCents } from "@red/contract/money";
import type { PayoutCall } from "@red/contract/payout";
import type { PayoutSchedule } from "#actions/payout-rules";
import { claimPayouts } from "#db/payout";
import { insertAttempts } from "#db/payout-attempt";
import type { ClaimedPayout } from "#db/payout";
import type { Tx } from "#db/connection";

/** A call that is to be made now. */
export interface DueCall {
  readonly log_id: number;
  readonly fence: number;
  /** Number of the attempt. */
  readonly no: number;
  readonly kind: "pay" | "query";
  readonly calledAt: Date;
  readonly call: PayoutCall;
}

function dueCallOf(claimed: ClaimedPayout, timeZone: string): DueCall {
  const { log_id, fence, no, kind } = claimed;
  const call: PayoutCall = {
    trans_sn: claimed.trans_sn,
    player_id: claimed.player_id,
    user_name: claimed.user_name,
    amount: formatCents(claimed.amount_cents),
    turnover: claimed.turnover,
    red_code: claimed.red_code,
    rounds_id: claimed.rounds_id,
    created_at: formatRfc3339(claimed.created_at, timeZone),
  };
  return { log_id, fence, no, kind, calledAt: claimed.called_at, call };
}

function requestOf({ kind, call }: DueCall): string {
  return kind === "pay" ? `POST /payouts ${JSON.stringify(call)}` : `GET /payouts/${call.trans_sn}`;
}

/**
 * Takes up to `limit` payouts that are due, each with a lease and an attempt "started". Once this has
 * committed, a call may be made; a crash after that leaves them unknown, never merely unpaid.
 */
export async function takeDueCalls(
  tx: Tx,
  limit: number,
  schedule: PayoutSchedule,
  timeZone: string,
): Promise<DueCall[]> {
  const claimed = await claimPayouts(tx, limit, schedule);
  const calls = claimed.map((one) => ({ ...dueCallOf(one, timeZone), operator: one.operator }));
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
  return calls;
}
