/** State of the wallet, for every signed-in operator (behaviour §6). */
import * as z from "zod/mini";
import { plain, playerAmount } from "#platform/marks";
import { route, unattended } from "#platform/route";

export const walletHealth = z.object({
  /**
   * Set while the wallet does not respond to payments or queries and payouts wait for it; null while the wallet works.
   */
  trouble: z.nullable(
    z.object({
      since: plain(),
      /** The last failed response of the wallet, such as "timeout" or "status 503". */
      last_answer: plain(),
      /** Time of the next retry; null means now. */
      next_try: z.nullable(plain()),
    }),
  ),
  /** Count and money of the payouts that are queued, sent or unclear. */
  waiting: z.object({ count: z.int(), amount: playerAmount() }),
});
export type WalletHealth = z.output<typeof walletHealth>;

export const walletRoutes = {
  health: route({
    call: "GET /gred/api/wallet/health",
    summary: "Is the wallet in trouble: since when, what waits for it, and when it is tried next",
    ...unattended("signed_in", "read"),
    data: walletHealth,
  }),
};
