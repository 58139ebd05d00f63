/** What a change takes, and did not bring along (behaviour §3, §16). */
import * as z from "zod/mini";
import { houseMoney, plain } from "#platform/marks";

/**
 * `data` of `proof_needed`: all that is missing, and what the change may cost, in all and by pool. Money is decimal text. Of
 * `only_valued`: all that the change would take.
 */
export const proofNeeded = z.object({
  needs: z.object({
    code: z.boolean(),
    /** A recovery code is taken too. */
    recovery: z.boolean(),
    reason: z.boolean(),
    /** Once the rest is there, a second person must approve it. */
    second: z.boolean(),
    risk: houseMoney(),
    /**
     * What the caller risked in the last 24 hours without the proof that is asked for, this change left out: without the code
     * where `code_above` is a sum, else without a second person or a reason.
     */
    risked: houseMoney(),
    /** The sum above which the code is wanted; null where it is wanted whatever the risk. */
    code_above: z.nullable(houseMoney()),
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
  }),
});
export type Needs = z.output<typeof proofNeeded>["needs"];
