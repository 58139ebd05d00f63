/** Serves the wallet's status (behaviour §6) to every open console and to the metrics. */
import { formatDateTime } from "@red/contract/platform/datetime";
import { STATE_FACTS } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import type { WalletHealth, walletRoutes } from "@red/contract/payouts/wallet";
import { selectPayoutSums, sumUp } from "./payout-sums-sql.ts";
import { selectLatestWallet } from "./wallet-health-sql.ts";
import { isInTrouble, nextCallAt, WALLET_PATIENCE } from "./wallet-health.ts";
import type { WalletLane } from "./wallet-health.ts";
import type { Db } from "#platform/db/connection";
import type { Handlers } from "#platform/handlers";
import type { Measured } from "#platform/http/metrics";

/** Returns the trouble of the kind of call that has been in trouble longest. */
function worst(lanes: readonly WalletLane[], now: Date) {
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
    /** Null means that a call may be tried now. */
    next_try: next > now ? next : null,
  };
}

/**
 * Returns the status of the wallet that the workers call. A trouble is shown only while payouts wait, because
 * without calls nobody can know whether the trouble is over.
 */
async function readWalletStatus(db: Db) {
  const [wallet, sums] = await Promise.all([selectLatestWallet(db), selectPayoutSums(db)]);
  const waiting = sumUp(sums.filter(({ state }) => STATE_FACTS[state].isCalled));
  const now = wallet?.now ?? new Date();
  const isAwaited = wallet !== null && waiting.count > 0;
  const toCheck = sumUp(sums.filter(({ state }) => state === "check")).count;
  return {
    now,
    waiting,
    toCheck,
    trouble: isAwaited ? worst([wallet.pay, wallet.query], now) : null,
  };
}

type WalletStatus = Awaited<ReturnType<typeof readWalletStatus>>;

/** The status is cached for this time, so that waiting payouts are counted only once for many callers. */
const KEPT_MS = 2_000;

const kept = new WeakMap<Db, { readonly until: number; readonly status: Promise<WalletStatus> }>();

async function walletStatus(db: Db): Promise<WalletStatus> {
  const known = kept.get(db);
  if (known !== undefined && performance.now() < known.until) {
    return await known.status;
  }
  const status = readWalletStatus(db);
  kept.set(db, { until: performance.now() + KEPT_MS, status });
  // A failed status is not cached, so only the current callers see the error.
  status.catch(() => kept.delete(db));
  return await status;
}

export function walletMeasured(db: Db): Measured[] {
  const of = (value: (status: WalletStatus) => number) => async () => value(await walletStatus(db));
  return [
    {
      name: "redpacket_wallet_trouble_seconds",
      help: "For how long the wallet has taken no payments or answered no questions while payouts wait for it",
      value: of(({ trouble, now }) =>
        trouble === null ? 0 : (now.getTime() - trouble.since.getTime()) / 1000,
      ),
    },
    {
      name: "redpacket_payouts_to_check",
      help: "Payouts that an operator must settle",
      value: of(({ toCheck }) => toCheck),
    },
    {
      name: "redpacket_payouts_waiting",
      help: "Payouts that are queued, sent or unclear",
      value: of(({ waiting }) => waiting.count),
    },
  ];
}

/** Returns the wallet's status for the API, at most two seconds old. */
export async function readWalletHealth(db: Db, timeZone: string): Promise<WalletHealth> {
  const { trouble, waiting } = await walletStatus(db);
  const shown = (instant: Date) => formatDateTime(instant, timeZone);
  return {
    trouble: trouble && {
      since: shown(trouble.since),
      last_answer: trouble.last_answer,
      next_try: trouble.next_try && shown(trouble.next_try),
    },
    waiting: { count: waiting.count, amount: formatCents(waiting.amount_cents) },
  };
}

export const walletHandlers: Handlers<typeof walletRoutes> = {
  health: async ({ db, services }) => ({
    data: await readWalletHealth(db, services.settings.timeZone),
  }),
};
