/**
 * Writes down what the wallet answered: one transaction at a time, each for all that was answered
 * during the last one. While the database is away the answers are kept and tried again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { PayoutSchedule } from "./payout-rules.ts";
import { settlePayouts } from "./settle-payouts.ts";
import type { AnsweredCall } from "./settle-payouts.ts";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import { failpoint } from "#platform/failpoint";
import { isDataFault } from "./payout-sql.ts";
import type { Logger } from "pino";

const BATCH_MAX = 500;
const RETRY_MS = 100;
const RETRY_MS_MAX = 2_000;

export interface PayoutSettler {
  push(answered: AnsweredCall): void;
  /** How many answers are not written down yet. */
  size(): number;
  /** Waits until all is written down, at most `ms`; nothing is tried after that. */
  close(ms: number): Promise<void>;
}

async function settleTogether(
  db: Db,
  batch: readonly AnsweredCall[],
  schedule: PayoutSchedule,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await settlePayouts(tx, batch, schedule);
    failpoint("answers_written");
  });
  failpoint("answers_committed");
}

export function payoutSettler(options: {
  readonly db: Db;
  readonly schedule: PayoutSchedule;
  readonly log: Pick<Logger, "warn" | "error">;
  /** Told of answers that are done with. */
  readonly onSettled: (batch: readonly AnsweredCall[]) => void;
}): PayoutSettler {
  const { db, schedule, log, onSettled } = options;
  const stopped = new AbortController();
  let waiting: AnsweredCall[] = [];
  let underway = 0;
  let running: Promise<void> | null = null;

  /** Settles a batch; when one of it cannot be written at all, the others still are. */
  async function settle(batch: readonly AnsweredCall[]): Promise<void> {
    try {
      await settleTogether(db, batch, schedule);
    } catch (fault) {
      if (!isDataFault(fault)) {
        throw fault;
      }
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        // Its lease expires and the wallet is asked: nothing is taken for paid or refused here.
        log.error({ err: fault, log_id: only.due.log_id }, "a payout cannot be settled");
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await settle(batch.slice(0, middle));
      await settle(batch.slice(middle));
    }
  }

  async function settleUntilDone(batch: readonly AnsweredCall[]): Promise<void> {
    for (let pause = RETRY_MS; !stopped.signal.aborted; pause = Math.min(pause * 2, RETRY_MS_MAX)) {
      try {
        await settle(batch);
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
      await settleUntilDone(batch);
      underway = 0;
      onSettled(batch);
    }
    running = null;
  }

  return {
    push(answered) {
      waiting.push(answered);
      running ??= run();
    },
    size: () => waiting.length + underway,
    async close(ms) {
      const timer = setTimeout(() => stopped.abort(), ms);
      await running;
      clearTimeout(timer);
    },
  };
}
