/** How the wallet is, for everybody who is signed in (behaviour §6). */
import * as z from "zod/mini";
import { route } from "./route.ts";

export const walletHealth = z.object({
  /** The wallet takes no payments, or answers no questions, and payouts wait for it; null: it is well. */
  trouble: z.nullable(
    z.object({
      since: z.string(),
      /** What came in place of its last answer, such as "timeout" or "status 503". */
      last_answer: z.string(),
      /** When it is tried next; null: now. */
      next_try: z.nullable(z.string()),
    }),
  ),
  /** Payouts on their way, whether queued, sent or unclear, and their money. */
  waiting: z.object({ count: z.int(), amount: z.string() }),
});
export type WalletHealth = z.output<typeof walletHealth>;

export const walletRoutes = {
  health: route({
    method: "GET",
    path: "/gred/api/wallet/health",
    summary: "Is the wallet in trouble: since when, what waits for it, and when it is tried next",
    auth: { by: "operator", permission: "signed_in", unattended: true },
    access: "read",
    data: walletHealth,
  }),
};
