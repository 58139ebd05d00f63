/** The wallet's status for operators and monitoring (behaviour §6). */
import { isInTrouble, nextCallAt, WALLET_PATIENCE } from "./wallet-rules.ts";
import type { WalletLane } from "./wallet-rules.ts";
import type { Db } from "#platform/connection";
import { selectWaitingPayouts } from "./payout-waiting-sql.ts";
import type { WaitingPayouts } from "./payout-waiting-sql.ts";
import { selectLatestWallet } from "./wallet-health-sql.ts";

export interface WalletTrouble {
  readonly since: Date;
  readonly last_answer: string;
  /** Null: it may be tried now. */
  readonly next_try: Date | null;
}

export interface WalletStatus {
  readonly now: Date;
  readonly trouble: WalletTrouble | null;
  readonly waiting: WaitingPayouts;
}

/** The kind of call with the longest trouble stands for the wallet. */
function worst(lanes: readonly WalletLane[], now: Date): WalletTrouble | null {
  const [first] = lanes
    .filter((lane) => isInTrouble(lane, now, WALLET_PATIENCE))
    .toSorted((a, b) => (a.trouble_since ?? now).getTime() - (b.trouble_since ?? now).getTime());
  if (first === undefined) {
    return null;
  }
  const next = nextCallAt(first, now, WALLET_PATIENCE);
  return {
    since: first.trouble_since ?? now,
    last_answer: first.last_answer ?? "",
    next_try: next > now ? next : null,
  };
}

/**
 * The status of the wallet that the workers call. A trouble is shown only while payouts wait: without a call,
 * nobody learns whether it is over.
 */
export async function readWalletStatus(db: Db): Promise<WalletStatus> {
  const [wallet, waiting] = await Promise.all([selectLatestWallet(db), selectWaitingPayouts(db)]);
  const now = wallet?.now ?? new Date();
  const isAwaited = wallet !== null && waiting.count > 0;
  return { now, waiting, trouble: isAwaited ? worst([wallet.pay, wallet.query], now) : null };
}
