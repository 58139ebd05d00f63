/**
 * The entry of draws: one lane per round, a limit of draws in flight, and one answer for a request that is
 * repeated while in progress. A lane batches without a timer: a batch is what arrived while the last ones
 * were committed; two are in flight. Only draws in flight are kept here, so a restart loses no answered draw.
 */
import { createHash } from "node:crypto";
import type { DrawRequest } from "@red/contract/draw";
import { AppError } from "@red/contract/errors";
import { DRAWS_IN_FLIGHT_MAX } from "@red/contract/limits";
import { drawPrizes } from "./draw-prizes.ts";
import type { AskedDraw, DrawResult, EarnedMemory } from "./draw-prizes.ts";
import type { Db } from "#platform/connection";
import { failpoint } from "#platform/failpoint";

const BATCH_MAX = 512;
const BATCHES_IN_FLIGHT = 2;
/** Above this number, idle lanes are removed. */
const LANES_MAX = 256;

export interface DrawQueue {
  /**
   * Draws once for a player. Resolves after the commit. Rejects with `overloaded` when too many draws are in
   * flight; the caller then retries with the same request_id.
   */
  draw(key: string, request: DrawRequest): Promise<DrawResult>;
  inFlight(): number;
}

/** A hash of the request's content, to detect another request under the same request_id. */
export function bodyHash(request: DrawRequest): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([request.rounds_id, request.player_id]))
    .digest();
}

interface DrawLane {
  /** Adds a draw to the next batch; resolves after that batch's commit. */
  push(asked: AskedDraw): Promise<DrawResult>;
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
      batch.map((waiter) => waiter.asked),
      memory,
    );
    if (results.some((result) => "drawn" in result)) {
      failpoint("draws_committed");
    }
    for (const [at, waiter] of batch.entries()) {
      const result = results[at];
      if (result === undefined) {
        waiter.reject(new Error("a draw has no result"));
      } else {
        waiter.resolve(result);
      }
    }
  } catch (fault) {
    for (const waiter of batch) {
      waiter.reject(fault);
    }
  }
}

function drawLane(db: Db): DrawLane {
  const memory: EarnedMemory = { players: new Map() };
  /** Players of the batches in flight: their next draw waits, or it would conflict. */
  const busy = new Set<string>();
  let waiting: Waiting[] = [];
  let batches = 0;
  let isScheduled = false;

  /** Takes the next batch in order, without players who are in flight. */
  function nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const waiter of waiting) {
      const canGo = batch.length < BATCH_MAX && !busy.has(waiter.asked.player_id);
      (canGo ? batch : rest).push(waiter);
    }
    waiting = rest;
    return batch;
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    const players = new Set(batch.map((waiter) => waiter.asked.player_id));
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

function laneOf(lanes: Map<number, DrawLane>, rounds_id: number, db: Db): DrawLane {
  const known = lanes.get(rounds_id);
  if (known !== undefined) {
    return known;
  }
  if (lanes.size >= LANES_MAX) {
    for (const [id, lane] of lanes) {
      if (lane.isIdle()) {
        lanes.delete(id);
      }
    }
  }
  const lane = drawLane(db);
  lanes.set(rounds_id, lane);
  return lane;
}

/** The answer for a repeated request; null when the request must be drawn on its own. */
function answerAgain(
  before: { readonly asked: AskedDraw; readonly result: DrawResult | null },
  asked: AskedDraw,
): DrawResult | null {
  if (before.result === null || "refused" in before.result) {
    // A refusal is not remembered.
    return null;
  }
  return before.asked.body_hash.equals(asked.body_hash)
    ? { drawn: { ...before.result.drawn, isRepeat: true } }
    : { refused: "request_id_reused" };
}

/** A queue over `db`, whose pool needs a few connections for it. */
export function drawQueue(db: Db): DrawQueue {
  const lanes = new Map<number, DrawLane>();
  const pending = new Map<string, { asked: AskedDraw; answer: Promise<DrawResult> }>();
  let inFlight = 0;

  async function push(asked: AskedDraw): Promise<DrawResult> {
    if (inFlight >= DRAWS_IN_FLIGHT_MAX) {
      throw new AppError("overloaded", { seconds: 1 });
    }
    inFlight += 1;
    try {
      return await laneOf(lanes, asked.rounds_id, db).push(asked);
    } finally {
      inFlight -= 1;
    }
  }

  async function draw(key: string, request: DrawRequest): Promise<DrawResult> {
    const asked: AskedDraw = { ...request, key, body_hash: bodyHash(request) };
    const name = `${key} ${request.request_id}`;
    const before = pending.get(name);
    if (before !== undefined) {
      const result = await before.answer.catch(() => null);
      return answerAgain({ asked: before.asked, result }, asked) ?? (await draw(key, request));
    }
    const answer = push(asked);
    pending.set(name, { asked, answer });
    try {
      return await answer;
    } finally {
      pending.delete(name);
    }
  }

  return { draw, inFlight: () => inFlight };
}
