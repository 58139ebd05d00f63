/**
 * Stores the wallet's answers and the resulting payout states (behaviour §6). Only one transaction runs at a
 * time, and the next transaction stores all answers that arrived meanwhile. While the database is unavailable,
 * answers are kept in memory and retried.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { outcomeOf, settlePayout } from "./payout-rules.ts";
import type { PayoutSchedule } from "./payout-rules.ts";
import { finishAttempts, isDataFault, lockPayouts, updatePayouts } from "./payout-sql.ts";
import type { LockedPayout, PayoutUpdate } from "./payout-sql.ts";
import type { DueCall } from "./take-due-calls.ts";
import type { WalletAnswer } from "./wallet-client.ts";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { failpoint } from "#platform/failpoint";
import type { Logger } from "pino";

const BATCH_MAX = 500;
const RETRY_MS = 100;
const RETRY_MS_MAX = 2_000;

export interface AnsweredCall extends Omit<WalletAnswer, "retryAfterMs"> {
  readonly due: DueCall;
}

/** Returns the change that one answer causes, or null when the payout does not change. */
function settleOne(
  payout: LockedPayout,
  { due, word }: AnsweredCall,
  schedule: PayoutSchedule,
): PayoutUpdate | null {
  const holdsLease = payout.state === "sending" && payout.fence === due.fence;
  const heard = { by: "answer", kind: due.kind, calledAt: due.calledAt, holdsLease, word } as const;
  const change = settlePayout(payout, heard, payout.now, schedule);
  return change && { ...change, log_id: payout.log_id };
}

/**
 * Stores the answers of many calls in one transaction. An answer whose lease was lost is stored in its attempt,
 * but changes the payout only if the answer is "paid".
 */
export async function settlePayouts(
  tx: Tx,
  answered: readonly AnsweredCall[],
  schedule: PayoutSchedule,
): Promise<void> {
  const log_ids = [...new Set(answered.map((call) => call.due.log_id))];
  const payouts = new Map(
    (await lockPayouts(tx, log_ids)).map((payout) => [payout.log_id, payout]),
  );
  const updates = new Map<number, PayoutUpdate>();
  for (const call of answered) {
    const payout = payouts.get(call.due.log_id);
    const update = payout && settleOne(payout, call, schedule);
    if (payout && update) {
      // A second answer about the same payout must see the result of the first answer.
      payouts.set(payout.log_id, { ...payout, ...update });
      updates.set(payout.log_id, update);
    }
  }
  await updatePayouts(tx, [...updates.values()]);
  const attempts = answered.map(({ due: { log_id, no }, word, ...rest }) => ({
    log_id,
    no,
    outcome: outcomeOf(word),
    ...rest,
    ...(payouts.get(log_id)?.is_erased === true && { answer: null }),
  }));
  await finishAttempts(tx, attempts);
}

/** Settles a batch. When the data of one answer causes an error, the other answers are still stored. */
async function settleEach(
  db: Db,
  batch: readonly AnsweredCall[],
  schedule: PayoutSchedule,
  log: Pick<Logger, "error">,
): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      await settlePayouts(tx, batch, schedule);
      failpoint("answers_written");
    });
    failpoint("answers_committed");
  } catch (fault) {
    if (!isDataFault(fault)) {
      throw fault;
    }
    const [only] = batch;
    if (batch.length === 1 && only !== undefined) {
      // The payout stays "sending" here. Later its lease expires and the worker queries the wallet.
      log.error({ err: fault, log_id: only.due.log_id }, "a payout cannot be settled");
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    await settleEach(db, batch.slice(0, middle), schedule, log);
    await settleEach(db, batch.slice(middle), schedule, log);
  }
}

interface Waiting {
  readonly answered: AnsweredCall;
  readonly done: () => void;
}

export function payoutSettler(
  db: Db,
  schedule: PayoutSchedule,
  log: Pick<Logger, "warn" | "error">,
) {
  const stopped = new AbortController();
  let waiting: Waiting[] = [];
  let underway = 0;
  let running: Promise<void> | null = null;

  async function settleUntilDone(batch: readonly AnsweredCall[]): Promise<void> {
    for (let pause = RETRY_MS; !stopped.signal.aborted; pause = Math.min(pause * 2, RETRY_MS_MAX)) {
      try {
        await settleEach(db, batch, schedule, log);
        return;
      } catch (fault) {
        log.warn({ err: fault, count: batch.length }, "payouts not settled yet, trying again");
        await sleep(pause, undefined, { signal: stopped.signal }).catch(() => {});
      }
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      underway = batch.length;
      await settleUntilDone(batch.map(({ answered }) => answered));
      underway = 0;
      for (const { done } of batch) {
        done();
      }
    }
    running = null;
  }

  return {
    /** Resolves once the answer is stored, or is dropped because the settler was closed. */
    settle: (answered: AnsweredCall) =>
      new Promise<void>((done) => {
        waiting.push({ answered, done });
        running ??= run();
      }),
    size: () => waiting.length + underway,
    /** Waits up to `ms` until all answers are stored, then stops the retries. */
    async close(ms: number) {
      const timer = setTimeout(() => stopped.abort(), ms);
      await running;
      clearTimeout(timer);
    },
  };
}
