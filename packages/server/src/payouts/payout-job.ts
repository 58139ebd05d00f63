/**
 * Pays: claims payouts that are due, calls the wallet, writes down what it said (behaviour §6). Woken
 * by LISTEN and by a timer for the next payout that is due. Any number of workers and processes may
 * run side by side. A call is written down before it is made, so a worker that dies leaves a lease
 * that expires, and the wallet is asked what became of it.
 */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { watchWallet } from "./note-wallet.ts";
import type { WalletWatch } from "./note-wallet.ts";
import { expireLeases, renewLeases } from "./payout-claim-sql.ts";
import { PAYOUT_SCHEDULE } from "./payout-rules.ts";
import type { PayoutSchedule } from "./payout-rules.ts";
import { payoutSettler } from "./settle-payouts.ts";
import type { PayoutSettler } from "./settle-payouts.ts";
import { takeDueCalls } from "./take-due-calls.ts";
import type { CallRules, DueCall } from "./take-due-calls.ts";
import { walletClient } from "./wallet-client.ts";
import type { WalletAnswer, WalletClient } from "./wallet-client.ts";
import type { WalletAccess } from "./wallet-signing.ts";
import { insertWallet } from "./wallet-health-sql.ts";
import { WALLET_PATIENCE } from "./wallet-rules.ts";
import type { WalletPatience } from "./wallet-rules.ts";
import { inTransaction } from "#platform/connection";
import type { ConnectionConfig, Db } from "#platform/connection";
import { failpoint } from "#platform/failpoint";
import { listen, PAYOUT_CHANNEL } from "#platform/listen";
import type { Logger } from "pino";

/** Bounds of one worker; milliseconds. */
export interface PayoutLimits {
  readonly callsInFlight: number;
  /** After that, a call is given up and the payout is unknown. */
  readonly callDeadlineMs: number;
  /** How long a stop waits for calls in flight before it gives them up. */
  readonly stopWaitMs: number;
  /** Longest sleep: what a lost notification can cost. */
  readonly pollMs: number;
}

export const PAYOUT_LIMITS: PayoutLimits = {
  callsInFlight: 32,
  callDeadlineMs: 10_000,
  stopWaitMs: 5_000,
  pollMs: 5_000,
};

/** How long a stop waits for the database to take the last answers. */
const LAST_SETTLE_MS = 2_000;
/** Answers that wait for the database stop further claims beyond this many times the calls. */
const UNSETTLED_FACTOR = 8;
/** A due payout that another transaction holds is looked at again after this. */
const LOOK_AGAIN_MS = 50;
const CLAIM_RETRY_MS = 500;

export interface PayoutWorker {
  /** Claims nothing more, waits for calls in flight, leaves nothing behind in "sending". */
  stop(): Promise<void>;
  /** Resolves when nothing is due, in flight or unsettled; what waits for later does not count. */
  idle(): Promise<void>;
}

export interface PayoutWorkerOptions {
  readonly db: Db;
  /** For the connection that listens. */
  readonly connection: ConnectionConfig;
  readonly wallet: WalletAccess;
  /** How the processes call the wallet among themselves; its address unless that changes. */
  readonly walletName?: string;
  /** Most calls that all processes together make it in a second; null: no limit. */
  readonly perSecond: number | null;
  /** Business time zone, in which the call tells its time. */
  readonly timeZone: string;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly schedule?: PayoutSchedule;
  readonly patience?: WalletPatience;
  readonly limits?: Partial<PayoutLimits>;
}

/** Wakes the one loop that sleeps on it. A ring that comes while it is awake is kept. */
function createBell() {
  let isKept = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      isKept = true;
      wake?.();
    },
    /** Forgets a ring that was kept. */
    clear() {
      isKept = false;
    },
    /** Resolves at the next ring, at once when one was kept, and after `ms` at the latest. */
    async wait(ms: number) {
      if (isKept) {
        return;
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = null;
    },
  };
}

/** All that one worker holds. */
interface Work {
  readonly options: PayoutWorkerOptions;
  readonly rules: CallRules;
  readonly limits: PayoutLimits;
  readonly bell: ReturnType<typeof createBell>;
  readonly wallet: WalletClient;
  readonly watch: WalletWatch;
  readonly settler: PayoutSettler;
  /** Claimed and not settled yet: their leases are renewed. */
  readonly held: Set<DueCall>;
  /** In flight at the wallet. */
  readonly calls: Set<Promise<WalletAnswer>>;
  /** Gives up the calls in flight. */
  readonly givenUp: AbortController;
  /** Resolve once nothing is due, in flight or unsettled. */
  readonly idlers: Set<() => void>;
  isWalletKnown: boolean;
  /** Is there more to do than was taken? Then whatever ends makes room. */
  hasBacklog: boolean;
}

function prepare(options: PayoutWorkerOptions): Work {
  const { db, log } = options;
  const schedule = options.schedule ?? PAYOUT_SCHEDULE;
  const patience = options.patience ?? WALLET_PATIENCE;
  const wallet = options.walletName ?? options.wallet.url;
  const limits = { ...PAYOUT_LIMITS, ...options.limits };
  const givenUp = new AbortController();
  // Every call in flight listens to it.
  setMaxListeners(0, givenUp.signal);
  const { perSecond, timeZone } = options;
  return {
    options,
    rules: { schedule, patience, wallet, perSecond, timeZone },
    limits,
    bell: createBell(),
    wallet: walletClient(options.wallet, limits.callDeadlineMs),
    watch: watchWallet(db, wallet, patience),
    settler: payoutSettler(db, schedule, log),
    held: new Set(),
    calls: new Set(),
    givenUp,
    idlers: new Set(),
    isWalletKnown: false,
    hasBacklog: false,
  };
}

/** Calls the wallet about a payout that was claimed at `claimedAt` (monotonic clock, ms). */
async function callWallet(work: Work, due: DueCall, claimedAt: number): Promise<WalletAnswer> {
  const { rules, wallet, givenUp } = work;
  if (performance.now() - claimedAt > rules.schedule.leaseMs) {
    // This process stood still: somebody else may have asked, and sent, by now.
    const word = { kind: "unclear", why: "not sent" } as const;
    return { word, duration_ms: 0, http_status: null, answer: null, retryAfterMs: null };
  }
  const { signal } = givenUp;
  failpoint("call_due");
  return await (due.kind === "pay" ? wallet.pay(due.call, signal) : wallet.ask(due.call, signal));
}

/** Makes a call, has its answer written down, and lets go of the payout. */
async function carryOut(work: Work, due: DueCall, claimedAt: number): Promise<void> {
  const { calls, held, watch, settler, bell } = work;
  held.add(due);
  const call = callWallet(work, due, claimedAt);
  calls.add(call);
  const { retryAfterMs, ...answer } = await call;
  calls.delete(call);
  const { word } = answer;
  watch.note({ kind: due.kind, isTry: due.isTry, startedAt: due.calledAt, word, retryAfterMs });
  const settled = settler.settle({ due, ...answer });
  if (work.hasBacklog) {
    bell.ring();
  }
  await settled;
  held.delete(due);
  // What is asked about later may be due before the sleep in progress ends.
  const isAskedLater = word.kind !== "paid" && word.kind !== "refused";
  if (work.hasBacklog || isAskedLater || work.idlers.size > 0) {
    bell.ring();
  }
}

/** Claims and starts as many calls as there is room for. */
async function look(work: Work): Promise<{ readonly pause: number; readonly isIdle: boolean }> {
  const { options, rules, limits, held, settler, watch, calls } = work;
  const { db } = options;
  const isBehind = settler.size() >= limits.callsInFlight * UNSETTLED_FACTOR;
  const free = isBehind ? 0 : limits.callsInFlight - calls.size;
  if (!work.isWalletKnown) {
    await inTransaction(db, (tx) => insertWallet(tx, rules.wallet));
    work.isWalletKnown = true;
  }
  // What was heard of the wallet is told before anybody calls it again.
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
    void carryOut(work, due, start);
  }
  // The answer to a try is waited for as a free place is.
  work.hasBacklog = taken.isFull || taken.isTroubled;
  if (taken.isFull) {
    return { pause: 0, isIdle: false };
  }
  const waitMs = taken.waitMs ?? limits.pollMs;
  return {
    pause: Math.min(Math.max(waitMs, LOOK_AGAIN_MS), limits.pollMs),
    isIdle: waitMs > LOOK_AGAIN_MS && held.size === 0,
  };
}

async function run(work: Work, isStopping: () => boolean): Promise<void> {
  const { options, bell, idlers } = work;
  while (!isStopping()) {
    bell.clear();
    const waiting = [...idlers];
    try {
      const { pause, isIdle } = await look(work);
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

/** Renews the leases of what this worker holds, and takes back what dead ones left behind. */
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

/** Tends leases at once and then three times within a lease; answers how to end that. */
function keepLeases(work: Work): () => void {
  let tending: Promise<void> | null = null;
  const tend = () => {
    tending ??= tendLeases(work)
      .catch((fault: unknown) => {
        work.options.log.warn({ err: fault }, "leases of payouts not tended");
      })
      .finally(() => {
        tending = null;
      });
  };
  tend();
  const timer = setInterval(tend, work.rules.schedule.leaseMs / 3);
  return () => clearInterval(timer);
}

/** Waits for the calls in flight, gives them up after a while, and resolves when all have ended. */
async function finishCalls({ calls, givenUp, limits }: Work): Promise<void> {
  const patience = new AbortController();
  await Promise.race([
    Promise.all(calls),
    sleep(limits.stopWaitMs, undefined, { signal: patience.signal }).catch(() => {}),
  ]);
  patience.abort();
  givenUp.abort();
  await Promise.all(calls);
}

/** Starts a worker; resolves once it listens, or has found that it cannot yet. */
export async function startPayoutWorker(options: PayoutWorkerOptions): Promise<PayoutWorker> {
  const { connection, log } = options;
  const work = prepare(options);
  const { bell, idlers } = work;
  const onNotify = () => bell.ring();
  const listener = listen({ connection, channel: PAYOUT_CHANNEL, onNotify, log });
  const endLeases = keepLeases(work);
  let isStopping = false;
  const running = run(work, () => isStopping);

  async function stop(): Promise<void> {
    isStopping = true;
    bell.ring();
    await running;
    await finishCalls(work);
    failpoint("calls_ended");
    await work.settler.close(LAST_SETTLE_MS);
    // A try that was given up is somebody else's; without the database they wait a little longer.
    await work.watch.flush().catch(() => {});
    endLeases();
    await listener.stop();
    work.wallet.close();
    for (const resolve of idlers) {
      resolve();
    }
  }

  let stopping: Promise<void> | null = null;
  await listener.started;
  return {
    stop: () => (stopping ??= stop()),
    idle: () =>
      new Promise((resolve) => {
        idlers.add(resolve);
        bell.ring();
      }),
  };
}
