/** Reads the overview and the boards (contract/watch/watch.ts), each from one snapshot of the database. */
import { formatDateTime, parseDateTime } from "@red/contract/platform/datetime";
import { found } from "@red/contract/platform/errors";
import type { EventKind } from "@red/contract/events/event";
import type { PayoutState } from "@red/contract/platform/codes";
import { PAYOUT_STATES } from "@red/contract/platform/codes";
import { formatCents } from "@red/contract/platform/money";
import { FIGURE_STATES, PACE_MINUTES } from "@red/contract/watch/watch";
import type { Board, Figure, Overview } from "@red/contract/watch/watch";
import { drainsAt, runsOutAt } from "@red/engine/pace";
import { sql } from "kysely";
import { selectBreakSums } from "#finance/reconciliation-sql";
import { selectPayoutSums, sumUp } from "#payouts/payout-sums-sql";
import { readWalletHealth } from "#payouts/wallet-routes";
import { inOneView } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { minuteOf } from "#platform/db/time-ids";
import { selectEventTotals } from "#events/event-list-sql";
import { selectStops, toStop } from "#stops/stop-switch-sql";
import { selectBoardPrizes, selectBoardRound, selectMinutes, selectNow } from "./watch-sql.ts";
import { selectLowPrizes, selectUnsigned, selectWatchedRounds } from "./watch-sql.ts";

function figureOf(sums: Parameters<typeof sumUp>[0]) {
  const { count, amount_cents } = sumUp(sums);
  return { count, amount: formatCents(amount_cents) };
}

/** Returns the count and amount of draw records for each outcome. */
async function readOutcomes(view: Db, draws: Parameters<typeof selectPayoutSums>[1]) {
  const sums = await selectPayoutSums(view, draws);
  const by = Object.entries({ drawn: PAYOUT_STATES, ...FIGURE_STATES });
  const of = (states: readonly PayoutState[]) =>
    figureOf(sums.filter(({ state }) => states.includes(state)));
  const figures = Object.fromEntries(by.map(([name, states]) => [name, of(states)]));
  return figures as Record<"drawn" | keyof typeof FIGURE_STATES, Figure>;
}

/** "Today" is the business day by the database clock. */
export async function readOverview(db: Db, timeZone: string): Promise<Overview> {
  return await inOneView(db, async (view) => {
    const { now, at, day } = await selectNow(view, timeZone);
    const start = parseDateTime(day, timeZone) ?? now;
    const times = { player_key: null, start, end: null, codes: {} };
    const eventsOf = async (kind: EventKind) => {
      const { total: count, amount_cents } = await selectEventTotals(view, kind, times);
      return figureOf([{ count, amount_cents }]);
    };
    return {
      at,
      day,
      rounds: await selectWatchedRounds(view, timeZone, start),
      stopped: (await selectStops(view)).flatMap(({ name }) => (name === "pool" ? [] : [name])),
      needs: {
        ...(await readOutcomes(view, {})),
        breaks: figureOf(await selectBreakSums(view, { open: 1 })),
        low_prizes: await selectLowPrizes(view),
        unsigned: await selectUnsigned(view, timeZone),
      },
      today: {
        ...(await readOutcomes(view, { from: minuteOf(sql`${start}::timestamptz`) })),
        deposits: await eventsOf("deposit"),
        bets: await eventsOf("bet"),
      },
    };
  });
}

/** Reads boards, and remembers for one minute how many payouts waited in each round. */
export function boardReader(db: Db, timeZone: string): (rounds_id: number) => Promise<Board> {
  let looks: { rounds_id: number; at: number; waiting: number }[] = [];
  const shown = (ms: number | null) =>
    ms === null ? null : formatDateTime(new Date(ms), timeZone);

  async function read(view: Db, rounds_id: number): Promise<Omit<Board, "wallet">> {
    const { now, at } = await selectNow(view, timeZone);
    const ms = now.getTime();
    const board = found(await selectBoardRound(view, rounds_id, timeZone), "activity_not_found");
    const { pool_id, starts, ends, ...round } = board;
    const pace_ms = Math.min((ms % 60_000) + PACE_MINUTES * 60_000, ms - starts.getTime());
    const prizes = await selectBoardPrizes(view, rounds_id);
    const outcomes = await readOutcomes(view, { rounds_id });
    looks = looks.filter((look) => look.at > ms - 60_000);
    looks.push({ rounds_id, at: ms, waiting: outcomes.waiting.count });
    const stops = await selectStops(view);
    const end = ends.getTime() + 1_000;
    return {
      at,
      ...round,
      ...(await selectMinutes(view, rounds_id, timeZone)),
      prizes: prizes.map((prize) => {
        const pace = { count: round.phase === "running" ? prize.lately : 0, ms: pace_ms };
        return { ...prize, runs_out_at: shown(runsOutAt(prize.remaining, pace, ms, end)) };
      }),
      ...outcomes,
      drains_at: shown(drainsAt(looks.filter((look) => look.rounds_id === rounds_id))),
      stops: stops
        .filter((stop) => stop.pool_id === null || stop.pool_id === pool_id)
        .map((stop) => toStop(stop, timeZone)),
    };
  }

  return async (rounds_id) => {
    const board = await inOneView(db, (view) => read(view, rounds_id));
    return { ...board, wallet: await readWalletHealth(db, timeZone) };
  };
}
