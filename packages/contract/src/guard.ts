/** The guard of live money changes: a code is wanted above a sum (behaviour §3). */
import * as z from "zod/mini";

/** A one-time code, sent after `risk_confirm` has asked for it. */
export const guardCode = () =>
  z.optional(z.nullable(z.string({ error: "not_a_text" }).check(z.trim())));

/** `data` of `risk_confirm`: what the change may cost more in all, and by pool. Money is decimal text. */
export interface RiskAsked {
  readonly risk: string;
  readonly guard_sum: string;
  readonly pools: readonly {
    readonly pool_name: string;
    /** Average cost of the next draw. */
    readonly cost_before: string;
    readonly cost_after: string;
    /** Draws in the last hour of its running rounds, or of the round that moves to it. */
    readonly draws_hour: number;
  }[];
}
