/** The board of a round (contract/watch.ts). */
import { formatDateTime } from "@red/contract/datetime";
import { AppError, PROBLEM_CODES } from "@red/contract/errors";
import { formatCents } from "@red/contract/money";
import { FIGURE_STATES, MINUTES_WATCHED, PACE_MINUTES } from "@red/contract/watch";
import type { Board } from "@red/contract/watch";
import { drainsAt, runsOutAt } from "@red/engine/pace";
import type { Pace, QueueSample } from "@red/engine/pace";
import { readWalletHealth } from "#payouts/wallet-routes";
import { inOneView } from "#platform/connection";
import type { Db } from "#platform/connection";
import { readRecordFilter } from "#records/record-filter";
import { selectStateSums } from "#records/record-sql";
import { selectStops, toStop } from "#rounds/stop-switch-sql";
import { figureIn, outcomesOf, sumFigure, toFigure } from "./figures.ts";
import { selectRefusals } from "./refusal-sql.ts";
import type { RefusedMinute } from "./refusal-sql.ts";
import {
  minuteOf,
  minuteStart,
  selectBoardPrizes,
  selectDrawnMinutes,
  selectNow,
  selectWatchedRound,
} from "./watch-sql.ts";
import type { BoardPrizeRow, RoundRow } from "./watch-sql.ts";

/** How long back a queue is compared. */
const LOOK_BACK_MS = 60_000;

export function roundOnWire(row: RoundRow, timeZone: string) {
  const { rounds_id, rounds_name, phase, rounds_status, pool_name, pool_gate } = row;
  return {
    rounds_id,
    rounds_name,
    start_time: formatDateTime(row.start_time, timeZone),
    end_time: formatDateTime(row.end_time, timeZone),
    phase,
    rounds_status,
    pool_name,
    pool_gate,
  };
}

function reasonsOf(refusals: readonly RefusedMinute[]): Board["refusals"] {
  return PROBLEM_CODES.map((reason) => ({
    reason,
    count: refusals.reduce((sum, one) => sum + (one.reason === reason ? one.count : 0), 0),
  }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
}

/** How many waited in the last minute, by round; a round that nobody watches is forgotten. */
function queueLooks() {
  const looks = new Map<number, QueueSample[]>();
  return (rounds_id: number, at: number, waiting: number): readonly QueueSample[] => {
    for (const [id, samples] of looks) {
      const young = samples.filter((sample) => sample.at > at - LOOK_BACK_MS);
      looks.set(id, young);
      if (young.length === 0) {
        looks.delete(id);
      }
    }
    const samples = [...(looks.get(rounds_id) ?? []), { at, waiting }];
    looks.set(rounds_id, samples);
    return samples;
  };
}

/** Reads boards one after the other, and keeps how many waited in the last minute of each. */
export function boardReader(db: Db, timeZone: string): (rounds_id: number) => Promise<Board> {
  const look = queueLooks();
  const shown = (ms: number | null) =>
    ms === null ? null : formatDateTime(new Date(ms), timeZone);

  function toPrize(prize: BoardPrizeRow, round: RoundRow, now: number, ms: number) {
    const { award_price_cents, count, amount_cents, ...rest } = prize;
    const pace: Pace = { count: round.phase === "running" ? prize.lately : 0, ms };
    const end = round.end_time.getTime() + 1_000;
    return {
      ...rest,
      award_price: formatCents(award_price_cents),
      drawn: toFigure({ count, amount_cents }),
      runs_out_at: shown(runsOutAt(prize.remaining, pace, now, end)),
    };
  }

  async function read(view: Db, rounds_id: number): Promise<Omit<Board, "wallet">> {
    const now = await selectNow(view);
    const round = await selectWatchedRound(view, rounds_id);
    if (round === null) {
      throw new AppError("activity_not_found");
    }
    const minute = minuteOf(now);
    const first = minute - MINUTES_WATCHED + 1;
    const drawn = await selectDrawnMinutes(view, rounds_id, first);
    const refusals = await selectRefusals(view, rounds_id, first);
    const paceStart = minute - PACE_MINUTES;
    const ms =
      now.getTime() - Math.max(minuteStart(paceStart).getTime(), round.start_time.getTime());
    const prizes = await selectBoardPrizes(view, round, paceStart);
    const sums = await selectStateSums(view, await readRecordFilter(view, { rounds_id }, timeZone));
    const waiting = figureIn(sums, FIGURE_STATES.waiting);
    const stops = (await selectStops(view)).filter(
      ({ pool_id }) => pool_id === null || pool_id === round.pool_id,
    );
    return {
      at: formatDateTime(now, timeZone),
      ...roundOnWire(round, timeZone),
      minutes: Array.from({ length: MINUTES_WATCHED }, (_, at) => ({
        minute: formatDateTime(minuteStart(first + at), timeZone),
        drawn: toFigure(drawn.find((one) => one.minute === first + at)),
        refused: refusals.reduce(
          (sum, one) => sum + (one.minute === first + at ? one.count : 0),
          0,
        ),
      })),
      lately: sumFigure(drawn),
      refusals: reasonsOf(refusals),
      prizes: prizes.map((prize) => toPrize(prize, round, now.getTime(), ms)),
      ...outcomesOf(sums),
      waiting,
      drains_at: shown(drainsAt(look(rounds_id, now.getTime(), waiting.count))),
      stops: stops.map((stop) => toStop(stop, timeZone)),
    };
  }

  return async (rounds_id) => {
    const board = await inOneView(db, (view) => read(view, rounds_id));
    // After the view, whose connection it needs.
    return { ...board, wallet: await readWalletHealth(db, timeZone) };
  };
}
