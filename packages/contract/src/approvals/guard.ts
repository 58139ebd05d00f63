/** The proofs that a change needs and the caller has not given yet (behaviour §3, §16). */
import * as z from "zod/mini";
import { houseMoney, plain } from "#platform/marks";

/**
 * `data` of `proof_needed`: all missing proofs, and what the change may cost in total and by pool. In
 * `only_valued` the same fields list all proofs that the change needs. Money is decimal text.
 */
export const proofNeeded = z.object({
  needs: z.object({
    code: z.boolean(),
    /** A recovery code is accepted too. */
    recovery: z.boolean(),
    reason: z.boolean(),
    /** A second person must approve the change, after the caller has given all other proofs. */
    second: z.boolean(),
    risk: houseMoney(),
    /**
     * What the caller risked in the last 24 hours without the missing proof, not counting this change. The
     * proof is the code if `code_above` is set, otherwise a second person or a reason.
     */
    risked: houseMoney(),
    /** The change needs a code above this threshold; null if the risk does not matter. */
    code_above: z.nullable(houseMoney()),
    pools: z.array(
      z.object({
        pool_name: plain(),
        /** Average cost of the next draw before the change. */
        cost_before: houseMoney(),
        cost_after: houseMoney(),
        /**
         * Draws per hour at the rate of ten minutes. Counts the running rounds of the pool, or the round that
         * moves to the pool.
         */
        draws_hour: z.int(),
      }),
    ),
  }),
});
export type Needs = z.output<typeof proofNeeded>["needs"];
