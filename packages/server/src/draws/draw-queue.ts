/**
 * Where draws come in: one lane per round, a bound on what is in flight, and one answer for a request
 * that is asked for again while it is being answered.
 */
import { createHash } from "node:crypto";
import type { DrawRequest } from "@red/contract/draw";
import { AppError } from "@red/contract/errors";
import { DRAWS_IN_FLIGHT_MAX } from "@red/contract/limits";
import { drawLane } from "./draw-lane.ts";
import type { DrawLane } from "./draw-lane.ts";
import type { AskedDraw, DrawResult } from "./draw-prizes.ts";
import type { Db } from "#platform/connection";

/** Lanes with nothing to do are forgotten when there are more than this many. */
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

/** What a request asks for, told apart from another under the same request_id. */
export function bodyHash(request: DrawRequest): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([request.rounds_id, request.player_id]))
    .digest();
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

/** What an earlier answer means to the same request_id; null when it has to be judged by itself. */
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

/** A queue over `db`, whose pool should allow a few connections for it. */
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
