/** The guard of live money changes: a code is wanted above a sum (behaviour §3). */
import * as z from "zod/mini";

/** A one-time code, sent when `risk_confirm` has asked for it; null and a missing one are none. */
export const guardCode = () =>
  z.optional(z.nullable(z.string({ error: "not_a_text" }).check(z.trim())));

/** `data` of `risk_confirm`. Money is decimal text. */
export const riskAsked = z.object({
  /** What the change may cost more, over all pools, and the sum above which a code is wanted. */
  risk: z.string(),
  guard_sum: z.string(),
  pools: z.array(
    z.object({
      pool_name: z.string(),
      risk: z.string(),
      /** Average cost of the next draw, before and after. */
      cost_before: z.string(),
      cost_after: z.string(),
      /** Draws of its running rounds in the last hour. */
      draws_hour: z.int(),
    }),
  ),
});
export type RiskAsked = z.output<typeof riskAsked>;
