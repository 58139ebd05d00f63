/** Figures of records by outcome, as the list of records adds them up. */
import type { PayoutState } from "@red/contract/lookups";
import { formatCents } from "@red/contract/money";
import { FIGURE_STATES } from "@red/contract/watch";
import type { Figure } from "@red/contract/watch";
import type { StateSum } from "#records/record-sql";
import type { Counted } from "./watch-sql.ts";

export function toFigure(counted: Counted | undefined): Figure {
  return { count: counted?.count ?? 0, amount: formatCents(counted?.amount_cents ?? 0n) };
}

export function sumFigure(all: readonly Counted[]): Figure {
  return toFigure({
    count: all.reduce((sum, one) => sum + one.count, 0),
    amount_cents: all.reduce((sum, one) => sum + one.amount_cents, 0n),
  });
}

/** The figure of these states. */
export function figureIn(sums: readonly StateSum[], states: readonly PayoutState[]): Figure {
  return sumFigure(sums.filter(({ state }) => states.includes(state)));
}

export function outcomesOf(sums: readonly StateSum[]) {
  const { paid, open, closed } = FIGURE_STATES;
  return {
    drawn: sumFigure(sums),
    paid: figureIn(sums, paid),
    open: figureIn(sums, open),
    closed: figureIn(sums, closed),
  };
}
