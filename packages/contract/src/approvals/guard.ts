/** The proofs that a change needs and does not have (behaviour §3, §16). */
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
    /** A second person must approve it, once the other proofs are there. */
    second: z.boolean(),
    risk: houseMoney(),
    /**
     * What the caller risked in the last 24 hours without the proof that is asked for, this change left out: without the code
     * where `code_above` is a sum, else without a second person or a reason.
     */
    risked: houseMoney(),
    /** The sum above which a code is needed; null if the risk does not matter. */
    code_above: z.nullable(houseMoney()),
    pools: z.array(
      z.object({
        pool_name: plain(),
        /** Average cost of the next draw. */
        cost_before: houseMoney(),
        cost_after: houseMoney(),
        /** Draws per hour by its running rounds, or by the round that moves to it, at the pace of ten minutes. */
        draws_hour: z.int(),
      }),
    ),
  }),
});
export type Needs = z.output<typeof proofNeeded>["needs"];
