/** The guard of live money changes: a code is wanted above a sum (behaviour §3). */
import * as z from "zod/mini";
import { houseMoney, plain } from "./marks.ts";

/** A one-time code, sent after `risk_confirm` has asked for it. */
export const guardCode = () =>
  z.optional(z.nullable(z.string({ error: "not_a_text" }).check(z.trim())));

/** `data` of `risk_confirm`: what the change may cost more in all, and by pool. Money is decimal text. */
export const riskAsked = z.object({
  risk: houseMoney(),
  guard_sum: houseMoney(),
  pools: z.array(
    z.object({
      pool_name: plain(),
      /** Average cost of the next draw. */
      cost_before: houseMoney(),
      cost_after: houseMoney(),
      /** Draws an hour of its running rounds, or of the round that moves to it, at the pace of ten minutes. */
      draws_hour: z.int(),
    }),
  ),
});
export type RiskAsked = z.output<typeof riskAsked>;
