/**
 * The entry of draws: one lane per round, a limit of draws in flight, and one answer for a request that is
 * repeated while in progress. A lane batches without a timer: a batch is what arrived while the last ones
 * were committed; two are in flight, or one while other processes draw for the same players, whose batches would leave
 * out each other's players. Only draws in flight are kept here, so a restart loses no answered draw.
 */
import type { DrawRequest } from "@red/contract/draws/draw";
import { AppError } from "@red/contract/platform/errors";
import { DRAWS_IN_FLIGHT_MAX } from "@red/contract/platform/limits";
import { drawPrizes } from "./draw-prizes.ts";
import type { AskedDraw, DrawResult, LaneMemory } from "./draw-prizes.ts";
import { BATCH_STALE, lockDraw } from "./draw-sql.ts";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { hasSqlState } from "#platform/db/constraints";
import { failpoint } from "#platform/failpoint";
import { payoutBell } from "#platform/db/listen";
import type { PayoutBell } from "#platform/db/listen";
import { chanceMemory } from "#chances/chance-reader";
import type { ChanceMemory } from "#chances/chance-reader";

const BATCH_MAX = 512;
const BATCHES_IN_FLIGHT = 2;
/** Maximum attempts of a draw. After `OPTIMISTIC_ATTEMPTS`, its inputs are locked first. */
const ATTEMPTS_MAX = 12;
const OPTIMISTIC_ATTEMPTS = 3;

/** Conflicts with other transactions: stale input, serialization failure, deadlock. */
const OVERTAKEN_STATES = [BATCH_STALE, "40001", "40P01"] as const;
/** A unique violation is retried too; if it remains, it is a defect. */
const RETRY_STATES = [...OVERTAKEN_STATES, "23505"] as const;
const OVERLOADED_SECONDS = 1;

interface Waiting {
  readonly asked: AskedDraw;
  readonly name: string;
  readonly resolve: (result: DrawResult) => void;
  readonly reject: (fault: unknown) => void;
  attempts: number;
}

interface LaneParts {
  readonly db: Db;
  readonly memory: ChanceMemory;
  readonly bell: PayoutBell;
  /** Called just before the draw is answered. */
  readonly onEnd: (waiter: Waiting) => void;
  readonly onIdle: () => void;
}

/** Draws a batch. Returns the draws to try again and the error. */
async function runBatch(
  { db, memory, bell, onEnd }: LaneParts,
  batch: readonly Waiting[],
  lane: LaneMemory,
): Promise<{ readonly overtaken: readonly Waiting[]; readonly fault: unknown }> {
  const asked = batch.map((waiter) => waiter.asked);
  const isLocked = batch.some(({ attempts }) => attempts >= OPTIMISTIC_ATTEMPTS);
  const first = new Set(batch.filter(({ attempts }) => attempts === 0).map((one) => one.asked));
  try {
    const results = isLocked
      ? await inTransaction(db, async (tx) => {
          const players = asked.map((draw) => draw.player_id);
          await lockDraw(tx, asked[0]?.rounds_id ?? 0, players);
          return await drawPrizes(tx, asked, memory);
        })
      : await drawPrizes(db, asked, memory, first, lane);
    if (results.some((result) => result !== null && "drawn" in result)) {
      failpoint("draws_committed");
      bell.ring();
    }
    const overtaken: Waiting[] = [];
    for (const [at, waiter] of batch.entries()) {
      const result = results[at] ?? null;
      if (result === null) {
        overtaken.push(waiter);
      } else {
        onEnd(waiter);
        waiter.resolve(result);
      }
    }
    return { overtaken, fault: null };
  } catch (fault) {
    if (hasSqlState(fault, ...RETRY_STATES)) {
      return { overtaken: batch, fault };
    }
    for (const waiter of batch) {
      onEnd(waiter);
      waiter.reject(fault);
    }
    return { overtaken: [], fault };
  }
}

/** Counts an attempt of each draw. Rejects draws with too many attempts and returns the others. */
function toTryAgain(
  { onEnd }: LaneParts,
  overtaken: readonly Waiting[],
  fault: unknown,
): Waiting[] {
  const isOvertaken = fault === null || hasSqlState(fault, ...OVERTAKEN_STATES);
  return overtaken.filter((waiter) => {
    waiter.attempts += 1;
    if (waiter.attempts >= ATTEMPTS_MAX) {
      onEnd(waiter);
      waiter.reject(
        isOvertaken ? new AppError("overloaded", { seconds: OVERLOADED_SECONDS }) : fault,
      );
    }
    return waiter.attempts < ATTEMPTS_MAX;
  });
}

/** Creates the lane of a round. Returns a function that adds a draw to the next batch. */
function drawLane(parts: LaneParts) {
  /** Players in running batches. Their next draws wait, because they would conflict. */
  const busy = new Set<string>();
  const lane: LaneMemory = { inputs: null, isShared: false };
  let waiting: Waiting[] = [];
  let batches = 0;
  let isScheduled = false;

  /**
   * Takes the next batch in order, without players in running batches. Draws that need locks run without other draws.
   */
  function nextBatch(): Waiting[] {
    const isLocked = waiting.some(({ attempts }) => attempts >= OPTIMISTIC_ATTEMPTS);
    const batch: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const waiter of waiting) {
      const canGo =
        batch.length < BATCH_MAX &&
        !busy.has(waiter.asked.player_id) &&
        (!isLocked || waiter.attempts >= OPTIMISTIC_ATTEMPTS);
      (canGo ? batch : rest).push(waiter);
    }
    waiting = rest;
    return batch;
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    const players = new Set(batch.map((waiter) => waiter.asked.player_id));
    players.forEach((player) => busy.add(player));
    batches += 1;
    const { overtaken, fault } = await runBatch(parts, batch, lane);
    batches -= 1;
    players.forEach((player) => busy.delete(player));
    waiting = [...toTryAgain(parts, overtaken, fault), ...waiting];
    schedule();
    if (batches === 0 && waiting.length === 0) {
      parts.onIdle();
    }
  }

  function schedule(): void {
    const most = lane.isShared ? 1 : BATCHES_IN_FLIGHT;
    if (isScheduled || waiting.length === 0 || batches >= most) {
      return;
    }
    isScheduled = true;
    // Waits one turn of the event loop, so that requests that have already arrived join the batch.
    setImmediate(() => {
      isScheduled = false;
      const batch = nextBatch();
      if (batch.length > 0) {
        void run(batch);
        schedule();
      }
    });
  }

  return (waiter: Waiting) => {
    waiting.push(waiter);
    schedule();
  };
}

interface Pending {
  readonly asked: AskedDraw;
  readonly answer: Promise<DrawResult>;
}

/** Creates a queue over `db`, which needs a few connections for it. `memory` may be shared with other readers. */
export function drawQueue(db: Db, memory: ChanceMemory = chanceMemory()) {
  const lanes = new Map<number, ReturnType<typeof drawLane>>();
  const bell = payoutBell(db);
  const pending = new Map<string, Pending>();
  let inFlight = 0;

  function laneOf(rounds_id: number) {
    const known = lanes.get(rounds_id);
    if (known !== undefined) {
      return known;
    }
    const onIdle = () => lanes.delete(rounds_id);
    const lane = drawLane({ db, memory, bell, onEnd, onIdle });
    lanes.set(rounds_id, lane);
    return lane;
  }

  function onEnd({ name }: Waiting): void {
    inFlight -= 1;
    pending.delete(name);
  }

  /** Repeats the first answer, or draws if the first was rejected. Refuses the id for another round or player. */
  async function drawAgain(before: Pending, asked: AskedDraw): Promise<DrawResult> {
    const result = await before.answer.catch(() => null);
    if (result === null || "refused" in result) {
      return await drawAsked(asked);
    }
    const { rounds_id, player_id } = before.asked;
    return asked.rounds_id === rounds_id && asked.player_id === player_id
      ? { drawn: { ...result.drawn, isRepeat: true } }
      : { refused: "request_id_reused" };
  }

  // Uses one promise and few objects per draw: draws in progress survive a garbage collection,
  // which costs more than the draw.
  function drawAsked(asked: AskedDraw): Promise<DrawResult> {
    const name = `${asked.key} ${asked.request_id}`;
    const before = pending.get(name);
    if (before !== undefined) {
      return drawAgain(before, asked);
    }
    if (inFlight >= DRAWS_IN_FLIGHT_MAX) {
      return Promise.reject(new AppError("overloaded", { seconds: OVERLOADED_SECONDS }));
    }
    inFlight += 1;
    const answer = new Promise<DrawResult>((resolve, reject) => {
      laneOf(asked.rounds_id)({ asked, name, resolve, reject, attempts: 0 });
    });
    pending.set(name, { asked, answer });
    return answer;
  }

  return {
    /**
     * Draws once for a player. Resolves after the commit. Rejects with `overloaded` if too many
     * draws are in progress; the caller then retries with the same request_id.
     */
    draw: (key: string, { request_id, rounds_id, player_id }: DrawRequest) =>
      drawAsked({ key, request_id, rounds_id, player_id }),
    inFlight: () => inFlight,
  };
}

export type DrawQueue = ReturnType<typeof drawQueue>;
