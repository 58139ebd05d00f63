import { payoutRoutes } from "./payout.ts";
import { walletRoutes } from "./wallet.ts";

export const payoutsCalls = { payout: payoutRoutes, wallet: walletRoutes } as const;
