/** The calls that one worker has in flight at the wallet. */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnsweredCall } from "./settle-payouts.ts";
import type { DueCall } from "./take-due-calls.ts";
import type { WalletNote } from "./wallet-rules.ts";
import { failpoint } from "#platform/failpoint";
import type { WalletAnswer, WalletClient } from "./wallet-client.ts";

export interface PayoutCalls {
  /** How many are in flight. */
  count(): number;
  /** Starts a call for a payout that was claimed at `claimedAt` (monotonic clock, ms). */
  start(due: DueCall, claimedAt: number): void;
  /** Waits for the calls in flight, gives them up after `ms`, and resolves when all have ended. */
  finish(ms: number): Promise<void>;
}

export function payoutCalls(options: {
  readonly wallet: WalletClient;
  readonly leaseMs: number;
  /** Told of each answer before it is settled. */
  readonly onNote: (note: WalletNote) => void;
  readonly onAnswer: (answered: AnsweredCall) => void;
}): PayoutCalls {
  const { wallet, leaseMs, onNote, onAnswer } = options;
  const givenUp = new AbortController();
  // Every call in flight listens to it.
  setMaxListeners(0, givenUp.signal);
  const calls = new Set<Promise<void>>();

  async function carryOut(due: DueCall, claimedAt: number): Promise<WalletAnswer> {
    if (performance.now() - claimedAt > leaseMs) {
      // This process stood still: somebody else may have asked, and sent, by now.
      const word = { kind: "unclear", why: "not sent" } as const;
      return { word, duration_ms: 0, http_status: null, answer: null, retryAfterMs: null };
    }
    const { signal } = givenUp;
    failpoint("call_due");
    return await (due.kind === "pay" ? wallet.pay(due.call, signal) : wallet.ask(due.call, signal));
  }

  return {
    count: () => calls.size,
    start(due, claimedAt) {
      const call = carryOut(due, claimedAt).then(({ retryAfterMs, ...answer }) => {
        calls.delete(call);
        const { kind, isTry, calledAt: startedAt } = due;
        onNote({ kind, isTry, startedAt, word: answer.word, retryAfterMs });
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
