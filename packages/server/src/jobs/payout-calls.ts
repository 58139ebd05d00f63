/** The calls that one worker has in flight at the wallet, and how many more it may make. */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnsweredCall } from "#actions/settle-payouts";
import type { DueCall } from "#actions/take-due-calls";
import { isTrouble } from "#jobs/wallet-client";
import type { WalletAnswer, WalletClient } from "#jobs/wallet-client";
import { watchOutage } from "#jobs/wallet-outage";

export interface PayoutCalls {
  /** How many calls may be started now (monotonic clock, ms). */
  room(now: number): number;
  /** When there is no room: how long at most until there may be, unless a call ends. */
  pause(now: number): number | null;
  /** Starts a call for a payout that was claimed at `claimedAt` (monotonic clock, ms). */
  start(due: DueCall, claimedAt: number): void;
  /** Waits for the calls in flight, gives them up after `ms`, and resolves when all have ended. */
  finish(ms: number): Promise<void>;
}

export function payoutCalls(options: {
  readonly wallet: WalletClient;
  readonly callsInFlight: number;
  readonly probeMs: number;
  readonly leaseMs: number;
  readonly onAnswer: (answered: AnsweredCall) => void;
}): PayoutCalls {
  const { wallet, leaseMs, onAnswer } = options;
  const outage = watchOutage(options.callsInFlight, options.probeMs);
  const givenUp = new AbortController();
  // Every call in flight listens to it.
  setMaxListeners(0, givenUp.signal);
  const calls = new Set<Promise<void>>();

  async function carryOut(due: DueCall, claimedAt: number): Promise<WalletAnswer> {
    if (performance.now() - claimedAt > leaseMs) {
      // This process stood still: somebody else may have asked, and sent, by now.
      const word = { kind: "unclear", why: "not sent" } as const;
      return { word, duration_ms: 0, http_status: null, answer: null };
    }
    const { signal } = givenUp;
    const answer = await (due.kind === "pay"
      ? wallet.pay(due.call, signal)
      : wallet.ask(due.call, signal));
    outage.note(isTrouble(answer.word));
    return answer;
  }

  return {
    room: (now) => outage.room(calls.size, now),
    pause: (now) => outage.pause(calls.size, now),
    start(due, claimedAt) {
      const call = carryOut(due, claimedAt).then((answer) => {
        calls.delete(call);
        onAnswer({ due, ...answer });
      });
      calls.add(call);
    },
    async finish(ms) {
      const patience = new AbortController();
      await Promise.race([
        Promise.all(calls),
        sleep(ms, undefined, { signal: patience.signal }).catch(() => {}),
      ]);
      patience.abort();
      givenUp.abort();
      await Promise.all(calls);
    },
  };
}
