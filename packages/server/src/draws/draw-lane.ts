/**
 * The draws of one round, gathered into batches without a timer: a batch is what queued up while the
 * last ones were being committed; two are in flight. What is here is only what is in flight: a
 * restart loses nothing that was answered.
 */
import { drawPrizes } from "./draw-prizes.ts";
import type { AskedDraw, DrawResult, EarnedMemory } from "./draw-prizes.ts";
import type { Db } from "#platform/connection";
import { failpoint } from "#platform/failpoint";

const BATCH_MAX = 512;
const BATCHES_IN_FLIGHT = 2;

export interface DrawLane {
  /** Puts a draw into the next batch; resolves after that batch's commit. */
  push(asked: AskedDraw): Promise<DrawResult>;
  /** Nothing waits and nothing is in flight. */
  isIdle(): boolean;
}

interface Waiting {
  readonly asked: AskedDraw;
  readonly resolve: (result: DrawResult) => void;
  readonly reject: (fault: unknown) => void;
}

async function runBatch(db: Db, batch: readonly Waiting[], memory: EarnedMemory): Promise<void> {
  try {
    const results = await drawPrizes(
      db,
      batch.map((one) => one.asked),
      memory,
    );
    if (results.some((result) => "drawn" in result)) {
      failpoint("draws_committed");
    }
    for (const [at, one] of batch.entries()) {
      const result = results[at];
      if (result === undefined) {
        one.reject(new Error("a draw has no result"));
      } else {
        one.resolve(result);
      }
    }
  } catch (fault) {
    for (const one of batch) {
      one.reject(fault);
    }
  }
}

/** A lane for one round. */
export function drawLane(db: Db): DrawLane {
  const memory: EarnedMemory = { players: new Map() };
  /** Players of the batches in flight: their next draw waits, or it would only be overtaken. */
  const busy = new Set<string>();
  let waiting: Waiting[] = [];
  let batches = 0;
  let isScheduled = false;

  /** Takes the next batch out: in order, without players who are in flight. */
  function nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const one of waiting) {
      const canGo = batch.length < BATCH_MAX && !busy.has(one.asked.player_id);
      (canGo ? batch : rest).push(one);
    }
    waiting = rest;
    return batch;
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    const players = new Set(batch.map((one) => one.asked.player_id));
    players.forEach((player) => busy.add(player));
    batches += 1;
    await runBatch(db, batch, memory);
    batches -= 1;
    players.forEach((player) => busy.delete(player));
    schedule();
  }

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || batches >= BATCHES_IN_FLIGHT) {
      return;
    }
    isScheduled = true;
    // One turn of the event loop lets requests that have already arrived join the batch.
    setImmediate(() => {
      isScheduled = false;
      const batch = nextBatch();
      if (batch.length > 0) {
        void run(batch);
        schedule();
      }
    });
  }

  return {
    push: (asked) =>
      new Promise((resolve, reject) => {
        waiting.push({ asked, resolve, reject });
        schedule();
      }),
    isIdle: () => batches === 0 && waiting.length === 0,
  };
}
