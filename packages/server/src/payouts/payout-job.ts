/**
 * The payout worker claims due payouts, calls the wallet and stores its answers (behaviour §6). A notification (LISTEN)
 * or a timer for the next due payout wakes the worker. Any number of workers and processes may run. Every call is
 * stored before it is made: when a worker dies, its lease expires and another worker queries the wallet.
 */
import { setMaxListeners } from "node:events";
import { watchWallet } from "./record-wallet-health.ts";
import { expireLeases, renewLeases } from "./payout-claim-sql.ts";
import { PAYOUT_SCHEDULE } from "./payout-rules.ts";
import type { PayoutSchedule } from "./payout-rules.ts";
import { payoutSettler } from "./settle-payouts.ts";
import { takeDueCalls } from "./take-due-calls.ts";
import type { DueCall } from "./take-due-calls.ts";
import { walletClient } from "./wallet-client.ts";
import type { WalletAccess, WalletAnswer } from "./wallet-client.ts";
import { insertWallet } from "./wallet-health-sql.ts";
import { WALLET_PATIENCE } from "./wallet-health.ts";
import type { WalletPatience } from "./wallet-health.ts";
import { createBell } from "#platform/bell";
import { inTransaction } from "#platform/db/connection";
import type { ConnectionConfig, Db } from "#platform/db/connection";
import { failpoint } from "#platform/failpoint";
import { listen, PAYOUT_CHANNEL } from "#platform/db/listen";
import { payoutCallsTotal } from "#platform/http/metrics";
import { startLoop } from "#platform/upkeep-job";
import type { Logger } from "pino";

/** All times are milliseconds. */
export const PAYOUT_LIMITS = {
  callsInFlight: 32,
  /** A call that takes longer is aborted, and the payout becomes unknown. */
  callDeadlineMs: 10_000,
  /** How long a stop waits for calls in flight before it aborts them. */
  stopWaitMs: 5_000,
  /** Longest sleep of the worker. This is the longest delay that a lost notification can cause. */
  pollMs: 5_000,
};
export type PayoutLimits = Readonly<typeof PAYOUT_LIMITS>;

/** How long a stop waits for the database to store the last answers. */
const LAST_SETTLE_MS = 2_000;
/** Claims pause when the answers that wait for the database reach `callsInFlight` times this number. */
const UNSETTLED_FACTOR = 8;
/** Delay before the next claim when another transaction has locked a due payout. */
const CLAIM_AGAIN_MS = 50;
const CLAIM_RETRY_MS = 500;

export interface PayoutWorkerOptions {
  readonly db: Db;
  readonly connection: ConnectionConfig;
  readonly wallet: WalletAccess;
  /** The wallet's name in the shared health state. The default is the wallet's URL. */
  readonly walletName?: string;
  /** Maximum number of calls per second of all processes together; null means no limit. */
  readonly perSecond: number | null;
  /** Business time zone of the times in a call. */
  readonly timeZone: string;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly schedule?: PayoutSchedule;
  readonly patience?: WalletPatience;
  readonly limits?: Partial<PayoutLimits>;
}

function prepare(options: PayoutWorkerOptions) {
  const { db, log } = options;
  const schedule = options.schedule ?? PAYOUT_SCHEDULE;
  const patience = options.patience ?? WALLET_PATIENCE;
  const wallet = options.walletName ?? options.wallet.url;
  const limits = { ...PAYOUT_LIMITS, ...options.limits };
  const givenUp = new AbortController();
  // Every call in flight listens to this signal, so Node's limit on listeners is switched off.
  setMaxListeners(0, givenUp.signal);
  const { perSecond, timeZone } = options;
  return {
    options,
    rules: { schedule, patience, wallet, perSecond, timeZone },
    limits,
    bell: createBell(),
    wallet: walletClient(options.wallet, limits.callDeadlineMs),
    watch: watchWallet(db, wallet, patience, log),
    settler: payoutSettler(db, schedule, log),
    /** Calls that are claimed and not settled yet. Their leases are renewed. */
    held: new Set<DueCall>(),
    calls: new Set<Promise<WalletAnswer>>(),
    /** Aborts the calls in flight. */
    givenUp,
    idlers: new Set<() => void>(),
    isWalletKnown: false,
    /** Whether more payouts were due than were claimed. Then every finished call triggers a new claim. */
    hasBacklog: false,
  };
}

type Work = ReturnType<typeof prepare>;

/** Calls the wallet for a payout that was claimed at `claimedAt` (monotonic clock, ms). */
async function callWallet(work: Work, due: DueCall, claimedAt: number): Promise<WalletAnswer> {
  const { rules, wallet, givenUp } = work;
  if (performance.now() - claimedAt > rules.schedule.leaseMs) {
    // This process was suspended for longer than the lease, so another worker may have made the call by now.
    const word = { kind: "unclear", why: "not sent" } as const;
    return { word, duration_ms: 0, http_status: null, answer: null, retryAfterMs: null };
  }
  const { signal } = givenUp;
  failpoint("call_due");
  return await (due.kind === "pay" ? wallet.pay(due.call, signal) : wallet.ask(due.call, signal));
}

/** Makes a call, waits until its answer is stored, and releases the payout. */
async function callAndSettle(work: Work, due: DueCall, claimedAt: number): Promise<void> {
  const { calls, held, watch, settler, bell } = work;
  held.add(due);
  const call = callWallet(work, due, claimedAt);
  calls.add(call);
  const { retryAfterMs, ...answer } = await call;
  calls.delete(call);
  const { word } = answer;
  payoutCallsTotal.inc({ call: due.kind, outcome: word.kind });
  watch.note({ kind: due.kind, isTry: due.isTry, startedAt: due.calledAt, word, retryAfterMs });
  const settled = settler.settle({ due, ...answer });
  if (work.hasBacklog) {
    bell.ring();
  }
  await settled;
  held.delete(due);
  // The next query of this payout may be due before the current sleep ends.
  const isAskedLater = word.kind !== "paid" && word.kind !== "refused";
  if (work.hasBacklog || isAskedLater || work.idlers.size > 0) {
    bell.ring();
  }
}

async function startDueCalls(
  work: Work,
): Promise<{ readonly pause: number; readonly isIdle: boolean }> {
  const { options, rules, limits, held, settler, watch, calls } = work;
  const { db } = options;
  const isBehind = settler.size() >= limits.callsInFlight * UNSETTLED_FACTOR;
  const free = isBehind ? 0 : limits.callsInFlight - calls.size;
  if (!work.isWalletKnown) {
    await inTransaction(db, (tx) => insertWallet(tx, rules.wallet));
    work.isWalletKnown = true;
  }
  // The wallet's health must be shared before the next call.
  await watch.flush();
  if (free <= 0) {
    work.hasBacklog = true;
    return { pause: limits.pollMs, isIdle: false };
  }
  const start = performance.now();
  const taken = await inTransaction(db, (tx) => takeDueCalls(tx, free, rules));
  if (taken.calls.length > 0) {
    failpoint("payouts_claimed");
  }
  watch.learn(taken.isTroubled);
  for (const due of taken.calls) {
    void callAndSettle(work, due, start);
  }
  // During a trouble, the answer to a try triggers a new claim too.
  work.hasBacklog = taken.isFull || taken.isTroubled;
  if (taken.isFull) {
    return { pause: 0, isIdle: false };
  }
  const waitMs = taken.waitMs ?? limits.pollMs;
  return {
    pause: Math.min(Math.max(waitMs, CLAIM_AGAIN_MS), limits.pollMs),
    isIdle: waitMs > CLAIM_AGAIN_MS && held.size === 0,
  };
}

async function run(work: Work, isStopping: () => boolean): Promise<void> {
  const { options, bell, idlers } = work;
  while (!isStopping()) {
    bell.clear();
    const waiting = [...idlers];
    try {
      const { pause, isIdle } = await startDueCalls(work);
      for (const resolve of isIdle ? waiting : []) {
        idlers.delete(resolve);
        resolve();
      }
      if (pause > 0) {
        await bell.wait(pause);
      }
    } catch (fault) {
      options.log.warn({ err: fault }, "payouts not claimed, trying again");
      await bell.wait(CLAIM_RETRY_MS);
    }
  }
}

/** Renews the leases of this worker and ends expired leases of dead workers. */
async function tendLeases({ options, rules, held, bell }: Work): Promise<void> {
  const { db, log } = options;
  if (held.size > 0) {
    await inTransaction(db, (tx) => renewLeases(tx, [...held], rules.schedule.leaseMs));
  }
  const expired = await inTransaction(db, async (tx) => {
    const taken = await expireLeases(tx);
    if (taken > 0) {
      failpoint("leases_expired");
    }
    return taken;
  });
  if (expired > 0) {
    log.warn({ expired }, "leases of payouts expired, asking the wallet");
    bell.ring();
  }
}

/** Starts a worker. Resolves once the worker listens for notifications, or its first try to listen has failed. */
export async function startPayoutWorker(options: PayoutWorkerOptions) {
  const { connection, log } = options;
  const work = prepare(options);
  const { bell, idlers } = work;
  const onNotify = () => bell.ring();
  const listener = listen({ connection, channel: PAYOUT_CHANNEL, onNotify, log });
  const leases = startLoop(async () => {
    await tendLeases(work).catch((fault: unknown) => {
      log.warn({ err: fault }, "leases of payouts not tended");
    });
    return work.rules.schedule.leaseMs / 3;
  });
  let isStopping = false;
  const running = run(work, () => isStopping);

  async function stop(): Promise<void> {
    isStopping = true;
    bell.ring();
    await running;
    const patience = setTimeout(() => work.givenUp.abort(), work.limits.stopWaitMs);
    await Promise.all(work.calls);
    clearTimeout(patience);
    failpoint("calls_ended");
    await work.settler.close(LAST_SETTLE_MS);
    // If the database fails here, other processes only wait a little longer for an aborted try.
    await work.watch.flush().catch(() => {});
    void leases.stop();
    await listener.stop();
    work.wallet.close();
    for (const resolve of idlers) {
      resolve();
    }
  }

  let stopping: Promise<void> | null = null;
  await listener.started;
  return {
    /** Claims nothing more and waits for calls in flight. No payout stays "sending". */
    stop: () => (stopping ??= stop()),
    /** Resolves when no payout is due, in flight or unsettled. Payouts that are due later do not count. */
    idle: () =>
      new Promise<void>((resolve) => {
        idlers.add(resolve);
        bell.ring();
      }),
  };
}

export type PayoutWorker = Awaited<ReturnType<typeof startPayoutWorker>>;
