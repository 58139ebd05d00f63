/** Calls to the wallet and the wallet's responses (platform-api "Call out", behaviour §6). */
import * as z from "zod/mini";
import { externalId, freeText, platformAmount } from "#platform/fields";
import { REASON_LENGTH_MAX } from "#platform/limits";
import { platform, route } from "#platform/route";

/** Body of `POST {WALLET_URL}/payouts`. */
export interface PayoutCall {
  readonly trans_sn: string;
  readonly player_id: string;
  readonly user_name: string;
  readonly amount: string;
  readonly turnover: number;
  readonly red_code: string;
  readonly rounds_id: number;
  readonly created_at: string;
}

/** A wallet's result for one payout. A response that does not match this schema proves nothing about the payout. */
export const payoutWord = z.object({
  status: z.enum(["paid", "refused", "processing"]),
  trans_sn: z.string(),
  amount: z.string(),
  reason: z.optional(z.nullable(z.string())),
  wallet_ref: z.optional(z.nullable(z.string())),
});
export type PayoutWord = z.output<typeof payoutWord>;

export const payoutRoutes = {
  result: route({
    call: "POST /open/v1/payouts/{trans_sn}/result",
    summary: "The wallet's later word on a payout that it was processing",
    ...platform("wallet", "write"),
    params: z.object({ trans_sn: externalId() }),
    body: z.strictObject({
      status: z.enum(["paid", "refused"], { error: "not_in_set" }),
      amount: platformAmount(),
      reason: z.optional(z.nullable(freeText(REASON_LENGTH_MAX))),
      wallet_ref: z.optional(z.nullable(externalId())),
    }),
    data: z.object({ payout_state: z.string() }),
  }),
};
