/**
 * Gathers draws into batches without a timer: a batch is what queued up while the last ones were
 * being committed. One lane per round, two batches of a lane in flight. State here is only what is in
 * flight: a restart loses nothing that was answered.
 */
import { createHash } from "node:crypto";
import type { DrawRequest } from "@red/contract/draw";
import { AppError } from "@red/contract/errors";
import { DRAWS_IN_FLIGHT_MAX } from "@red/contract/limits";
import { drawPrizes } from "#actions/draw-prizes";
import type { AskedDraw, DrawResult, EarnedMemory } from "#actions/draw-prizes";
import type { Db } from "#db/connection";

const BATCH_MAX = 512;
const BATCHES_IN_FLIGHT = 2;
/** A lane that has had nothing to do is forgotten when there are more than this many. */
const LANES_MAX = 256;

export interface DrawQueue {
  /**
   * Draws once for a player. Resolves after the commit. Rejects with `overloaded` when too many are
   * in flight; the caller then asks again with the same request_id.
   */
  draw(key: string, request: DrawRequest): Promise<DrawResult>;
  /** How many draws wait or are being committed. */
  inFlight(): number;
}

interface Waiting {
  readonly asked: AskedDraw;
  readonly resolve: (result: DrawResult) => void;
  readonly reject: (fault: unknown) => void;
}

interface Lane {
  waiting: Waiting[];
  batches: number;
  isScheduled: boolean;
  /** Players of the batches in flight: their next draw waits, or it would only be overtaken. */
  readonly busy: Set<string>;
  readonly memory: EarnedMemory;
}

function bodyHash(request: DrawRequest): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([request.rounds_id, request.player_id]))
    .digest();
}

/** Takes the next batch out of the lane: in order, without players who are in flight. */
function nextBatch(lane: Lane): Waiting[] {
  const batch: Waiting[] = [];
  const rest: Waiting[] = [];
  for (const one of lane.waiting) {
    const canGo = batch.length < BATCH_MAX && !lane.busy.has(one.asked.player_id);
    (canGo ? batch : rest).push(one);
  }
  lane.waiting = rest;
  return batch;
}

/** A queue over `db`, whose pool should allow a few connections for it. */
export function drawQueue(db: Db): DrawQueue {
  const lanes = new Map<number, Lane>();
  /** The same request asked for again while it is being answered waits for that answer. */
  const pending = new Map<string, { asked: AskedDraw; answer: Promise<DrawResult> }>();
  let inFlight = 0;

  function laneOf(rounds_id: number): Lane {
    let lane = lanes.get(rounds_id);
    if (lane === undefined) {
      if (lanes.size >= LANES_MAX) {
        for (const [id, idle] of lanes) {
          if (idle.batches === 0 && idle.waiting.length === 0) {
            lanes.delete(id);
          }
        }
      }
      const memory: EarnedMemory = { players: new Map() };
      lane = { waiting: [], batches: 0, isScheduled: false, busy: new Set(), memory };
      lanes.set(rounds_id, lane);
    }
    return lane;
  }

  async function run(lane: Lane, batch: readonly Waiting[]): Promise<void> {
    const players = new Set(batch.map((one) => one.asked.player_id));
    for (const player of players) {
      lane.busy.add(player);
    }
    lane.batches += 1;
    try {
      const asked = batch.map((one) => one.asked);
      const results = await drawPrizes(db, asked, lane.memory);
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
    } finally {
      lane.batches -= 1;
      for (const player of players) {
        lane.busy.delete(player);
      }
      schedule(lane);
    }
  }

  function schedule(lane: Lane): void {
    if (lane.isScheduled || lane.waiting.length === 0 || lane.batches >= BATCHES_IN_FLIGHT) {
      return;
    }
    lane.isScheduled = true;
    // One turn of the event loop lets requests that have already arrived join the batch.
    setImmediate(() => {
      lane.isScheduled = false;
      const batch = nextBatch(lane);
      if (batch.length > 0) {
        void run(lane, batch);
        schedule(lane);
      }
    });
  }

  function enqueue(asked: AskedDraw): Promise<DrawResult> {
    if (inFlight >= DRAWS_IN_FLIGHT_MAX) {
      return Promise.reject(new AppError("overloaded", { seconds: 1 }));
    }
    inFlight += 1;
    const lane = laneOf(asked.rounds_id);
    return new Promise<DrawResult>((resolve, reject) => {
      lane.waiting.push({ asked, resolve, reject });
      schedule(lane);
    }).finally(() => {
      inFlight -= 1;
    });
  }

  async function draw(key: string, request: DrawRequest): Promise<DrawResult> {
    const asked: AskedDraw = { ...request, key, body_hash: bodyHash(request) };
    const name = `${key} ${request.request_id}`;
    const before = pending.get(name);
    if (before !== undefined) {
      const result = await before.answer.catch(() => null);
      if (result === null || "refused" in result) {
        // A refusal is not remembered: this one is judged by itself.
        return await draw(key, request);
      }
      return before.asked.body_hash.equals(asked.body_hash)
        ? { drawn: { ...result.drawn, isRepeat: true } }
        : { refused: "request_id_reused" };
    }
    const answer = enqueue(asked);
    pending.set(name, { asked, answer });
    try {
      return await answer;
    } finally {
      pending.delete(name);
    }
  }

  return { draw, inFlight: () => inFlight };
}
