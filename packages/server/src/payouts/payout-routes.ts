/** What the wallet tells of payouts by itself (platform-api). */
import type { payoutRoutes } from "@red/contract/payout";
import { takePayoutWord } from "./take-payout-word.ts";
import type { Handlers } from "#platform/handlers";

export const payoutHandlers: Handlers<typeof payoutRoutes> = {
  async result({ tx, actor, params, body }) {
    const payout_state = await takePayoutWord(tx, actor, {
      trans_sn: params.trans_sn,
      status: body.status,
      amount_cents: body.amount,
      reason: body.reason ?? null,
      wallet_ref: body.wallet_ref ?? null,
    });
    return { data: { payout_state } };
  },
};
