/** The overview (contract/watch.ts), in one view of the database. */
import { formatDate, formatDateTime, parseDateTime } from "@red/contract/datetime";
import type { EventKind } from "@red/contract/explanation";
import { formatCents } from "@red/contract/money";
import { FIGURE_STATES } from "@red/contract/watch";
import type { Overview } from "@red/contract/watch";
import { selectBreakSums } from "#finance/reconciliation-sql";
import { inOneView } from "#platform/connection";
import type { Db } from "#platform/connection";

import { selectEventTotals } from "#players/event-list-sql";
import { readRecordFilter } from "#records/record-filter";
import { selectStateSums } from "#records/record-sql";
import { figureIn, outcomesOf, sumFigure, toFigure } from "./figures.ts";
import { roundOnWire } from "./read-board.ts";
import {
  minuteOf,
  selectDrawnOf,
  selectLowPrizes,
  selectNow,
  selectUnsigned,
  selectWatchedRounds,
} from "./watch-sql.ts";
import type { LowPrizeRow } from "./watch-sql.ts";

async function readNeeds(view: Db, timeZone: string): Promise<Overview["needs"]> {
  const sums = await selectStateSums(view, await readRecordFilter(view, {}, timeZone));
  const low = await selectLowPrizes(view);
  const months = await selectUnsigned(view, timeZone);
  return {
    refused: figureIn(sums, FIGURE_STATES.refused),
    unknown: figureIn(sums, FIGURE_STATES.unknown),
    check: figureIn(sums, FIGURE_STATES.check),
    goods: figureIn(sums, FIGURE_STATES.goods),
    breaks: sumFigure(await selectBreakSums(view, { open: 1 })),
    low_prizes: { count: low.all, prizes: low.rows.map(toLowPrize) },
    unsigned: { count: months.reduce((sum, { count }) => sum + count, 0), months },
  };
}

function toLowPrize({ award_price_cents, ...row }: LowPrizeRow) {
  return { ...row, award_price: formatCents(award_price_cents) };
}

async function readToday(view: Db, day: string, timeZone: string): Promise<Overview["today"]> {
  const match = await readRecordFilter(view, { start_time: day }, timeZone);
  const eventsOf = async (kind: EventKind) => {
    const filter = { player_key: null, start: match.start, end: null, codes: {} };
    const { total, amount_cents } = await selectEventTotals(view, kind, filter);
    return toFigure({ count: total, amount_cents });
  };
  return {
    ...outcomesOf(await selectStateSums(view, match)),
    deposits: await eventsOf("deposit"),
    bets: await eventsOf("bet"),
  };
}

/** Today is the business day of the database's clock. */
export async function readOverview(db: Db, timeZone: string): Promise<Overview> {
  return await inOneView(db, async (view) => {
    const now = await selectNow(view);
    const day = `${formatDate(now, timeZone)} 00:00:00`;
    const { rows, running } = await selectWatchedRounds(view);
    const from = minuteOf(parseDateTime(day, timeZone) ?? now);
    const whole = rows.map((row) => ({ ...row, from: minuteOf(row.since) }));
    const drawn = await selectDrawnOf(view, whole);
    const today = await selectDrawnOf(
      view,
      rows.map(({ rounds_id }) => ({ rounds_id, from })),
    );
    return {
      at: formatDateTime(now, timeZone),
      day,
      rounds: rows.map((row, at) => ({
        ...roundOnWire(row, timeZone),
        drawn: toFigure(drawn[at]),
        today: toFigure(today[at]),
      })),
      running,
      needs: await readNeeds(view, timeZone),
      today: await readToday(view, day, timeZone),
    };
  });
}
