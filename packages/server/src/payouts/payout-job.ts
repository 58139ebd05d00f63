/**
 * Pays: claims payouts that are due, calls the wallet, writes down what it said (behaviour §6). Woken
 * by LISTEN and by a timer for the next payout that is due. Any number of workers and processes may
 * run side by side. A call is written down before it is made, so a worker that dies leaves a lease
 * that expires, and the wallet is asked what became of it.
 */
import { PAYOUT_SCHEDULE } from "./payout-rules.ts";
import type { PayoutSchedule } from "./payout-rules.ts";
import type { AnsweredCall } from "./settle-payouts.ts";
import { takeDueCalls } from "./take-due-calls.ts";
import type { CallRules, DueCall } from "./take-due-calls.ts";
import { WALLET_PATIENCE } from "./wallet-rules.ts";
import type { WalletNote, WalletPatience } from "./wallet-rules.ts";
import { inTransaction } from "#platform/connection";
import type { ConnectionConfig, Db } from "#platform/connection";
import { failpoint } from "#platform/failpoint";
import { listen, PAYOUT_CHANNEL } from "#platform/listen";
import { insertWallet } from "./wallet-health-sql.ts";
import { createBell } from "./bell.ts";
import { payoutCalls } from "./payout-calls.ts";
import { keepLeases } from "./payout-leases.ts";
import { payoutSettler } from "./payout-settler.ts";
import { walletClient } from "./wallet-client.ts";
import type { WalletAccess } from "./wallet-client.ts";
import { watchWallet } from "./wallet-watch.ts";
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

type Parts = ReturnType<typeof assemble>;

/** What one worker consists of, wired together. */
function assemble(options: PayoutWorkerOptions) {
  const { db, log, connection } = options;
  const rules: CallRules = {
    schedule: options.schedule ?? PAYOUT_SCHEDULE,
    patience: options.patience ?? WALLET_PATIENCE,
    wallet: options.walletName ?? options.wallet.url,
    perSecond: options.perSecond,
    timeZone: options.timeZone,
  };
  const { schedule } = rules;
  const limits = { ...PAYOUT_LIMITS, ...options.limits };
  const bell = createBell();
  const wallet = walletClient(options.wallet, limits.callDeadlineMs);
  /** Claimed and not settled yet: their leases are renewed. */
  const held = new Set<DueCall>();
  const now = { isWalletKnown: false, hasBacklog: false, idlers: new Set<() => void>() };

  const onSettled = (batch: readonly AnsweredCall[]) => {
    for (const { due } of batch) {
      held.delete(due);
    }
    // What is asked about later may be due before the sleep in progress ends.
    const isAskedLater = batch.some(({ word }) => word.kind !== "paid" && word.kind !== "refused");
    if (now.hasBacklog || isAskedLater || now.idlers.size > 0) {
      bell.ring();
    }
  };
  const settler = payoutSettler({ db, schedule, log, onSettled });
  const onAnswer = (answered: AnsweredCall) => {
    settler.push(answered);
    if (now.hasBacklog) {
      bell.ring();
    }
  };
  const watch = watchWallet({ db, ...rules });
  const onNote = (note: WalletNote) => watch.note(note);
  const calls = payoutCalls({ wallet, leaseMs: schedule.leaseMs, onNote, onAnswer });
  const ring = () => bell.ring();
  const leases = keepLeases({
    db,
    leaseMs: schedule.leaseMs,
    held: () => [...held],
    onExpired: ring,
    log,
  });
  const listener = listen({ connection, channel: PAYOUT_CHANNEL, onNotify: ring, log });
  return {
    options,
    rules,
    limits,
    bell,
    wallet,
    held,
    now,
    settler,
    watch,
    calls,
    leases,
    listener,
  };
}

/** Claims and starts as many calls as there is room for. */
async function look(parts: Parts): Promise<{ readonly pause: number; readonly isIdle: boolean }> {
  const { options, rules, limits, held, now, settler, watch, calls } = parts;
  const { db } = options;
  const isBehind = settler.size() >= limits.callsInFlight * UNSETTLED_FACTOR;
  const free = isBehind ? 0 : limits.callsInFlight - calls.count();
  if (!now.isWalletKnown) {
    await inTransaction(db, (tx) => insertWallet(tx, rules.wallet));
    now.isWalletKnown = true;
  }
  // What was heard of the wallet is told before anybody calls it again.
  await watch.flush();
  if (free <= 0) {
    now.hasBacklog = true;
    return { pause: limits.pollMs, isIdle: false };
  }
  const start = performance.now();
  const taken = await inTransaction(db, (tx) => takeDueCalls(tx, free, rules));
  if (taken.calls.length > 0) {
    failpoint("payouts_claimed");
  }
  watch.learn(taken.isTroubled);
  for (const due of taken.calls) {
    held.add(due);
    calls.start(due, start);
  }
  // The answer to a try is waited for as a free place is.
  now.hasBacklog = taken.isFull || taken.isTroubled;
  if (taken.isFull) {
    return { pause: 0, isIdle: false };
  }
  const waitMs = taken.waitMs ?? limits.pollMs;
  return {
    pause: Math.min(Math.max(waitMs, LOOK_AGAIN_MS), limits.pollMs),
    isIdle: waitMs > LOOK_AGAIN_MS && held.size === 0,
  };
}

async function run(parts: Parts, isStopping: () => boolean): Promise<void> {
  const { options, bell, now } = parts;
  while (!isStopping()) {
    bell.clear();
    const idlers = [...now.idlers];
    try {
      const { pause, isIdle } = await look(parts);
      for (const resolve of isIdle ? idlers : []) {
        now.idlers.delete(resolve);
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

/** Starts a worker; resolves once it listens, or has found that it cannot yet. */
export async function startPayoutWorker(options: PayoutWorkerOptions): Promise<PayoutWorker> {
  const parts = assemble(options);
  const { bell, now } = parts;
  let isStopping = false;
  const running = run(parts, () => isStopping);

  async function stop(): Promise<void> {
    isStopping = true;
    bell.ring();
    await running;
    await parts.calls.finish(parts.limits.stopWaitMs);
    failpoint("calls_ended");
    await parts.settler.close(LAST_SETTLE_MS);
    // A try that was given up is somebody else's; without the database they wait a little longer.
    await parts.watch.flush().catch(() => {});
    parts.leases.stop();
    await parts.listener.stop();
    parts.wallet.close();
    for (const resolve of now.idlers) {
      resolve();
    }
  }

  let stopping: Promise<void> | null = null;
  await parts.listener.started;
  return {
    stop: () => (stopping ??= stop()),
    idle: () =>
      new Promise((resolve) => {
        now.idlers.add(resolve);
        bell.ring();
      }),
  };
}
