/** State of the wallet, for every signed-in operator (behaviour §6). */
import * as z from "zod/mini";
import { plain, playerAmount } from "#platform/marks";
import { route, unattended } from "#platform/route";

export const walletHealth = z.object({
  /** The wallet answers no payments or no queries, and payouts wait for it; null: it works. */
  trouble: z.nullable(
    z.object({
      since: plain(),
      /** Its last failed answer, such as "timeout" or "status 503". */
      last_answer: plain(),
      /** Time of the next attempt; null: now. */
      next_try: z.nullable(plain()),
    }),
  ),
  /** Payouts that are queued, sent or unclear, and their money. */
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
