/**
 * Which prize a ticket wins (behaviour §5). A draw and its later re-derivation from the record go
 * through the same mapping, so that they cannot come to differ.
 */
import { WEIGHT_SUM_MAX } from "@red/contract/limits";

/** What the mapping needs to know of a prize; a pool version holds it too. */
export interface WeightedPrize {
  readonly id: number;
  /** A whole number from 0. */
  readonly weight: number;
  /** Guaranteed: given in place of a prize whose stock is gone. */
  readonly floors: boolean;
}

/** A prize with its stock, which the caller lowers after each draw. */
export interface PoolPrize extends WeightedPrize {
  left: number;
}

/** The prizes of a pool prepared for many draws. It refers to the prizes, so it sees their stock. */
export interface WeightTable<P extends WeightedPrize> {
  /** In id order. */
  readonly prizes: readonly P[];
  /** Entry i is Σ weight of the prizes 0 … i: the first entry above a ticket names its prize. */
  readonly cumulative: readonly number[];
  /** Σ weight of all prizes, with and without stock. */
  readonly total: number;
  /** The guaranteed prizes, heaviest first, then lowest id. */
  readonly guaranteed: readonly P[];
}

/** A drawn prize, with what its record needs so that it can be derived again. */
export interface PrizePick {
  readonly prize_id: number;
  /** Drawn from [0, Σ weight of the pool); 0 when that sum is 0. */
  readonly ticket: number;
  /** Drawn from [0, Σ weight of the prizes with stock); null unless it decided. */
  readonly fallback_ticket: number | null;
  /** Ids of the prizes without stock just before this draw, in id order. */
  readonly exhausted: number[];
}

/** Says which prizes have no stock: read from the prizes in a draw, from the record afterwards. */
type IsGone<P> = (prize: P) => boolean;

/** Is nothing of this prize left? */
export function isGone(prize: PoolPrize): boolean {
  return prize.left <= 0;
}

function isTicket(ticket: number, below: number): boolean {
  return Number.isInteger(ticket) && ticket >= 0 && ticket < below;
}

function cumulate<P extends WeightedPrize>(prizes: readonly P[], gone: IsGone<P>): number[] {
  let sum = 0;
  return prizes.map((prize) => {
    sum += gone(prize) ? 0 : prize.weight;
    return sum;
  });
}

/**
 * Prepares a pool once for many draws. Throws RangeError when the prizes are not in id order, a
 * weight is no whole number from 0, or the weights add up to more than WEIGHT_SUM_MAX.
 */
export function weightTable<P extends WeightedPrize>(prizes: readonly P[]): WeightTable<P> {
  let lastId = Number.NEGATIVE_INFINITY;
  for (const { id, weight } of prizes) {
    if (id <= lastId) {
      throw new RangeError(`prizes are not in id order at ${id}`);
    }
    if (!Number.isInteger(weight) || weight < 0) {
      throw new RangeError(`not a weight: ${weight} of prize ${id}`);
    }
    lastId = id;
  }
  const cumulative = cumulate(prizes, () => false);
  const total = cumulative.at(-1) ?? 0;
  if (total > WEIGHT_SUM_MAX) {
    throw new RangeError(`weights add up to ${total}, more than ${WEIGHT_SUM_MAX}`);
  }
  // The sort is stable: among equal weights the id order stays.
  const guaranteed = prizes.filter((prize) => prize.floors).toSorted((a, b) => b.weight - a.weight);
  return { prizes, cumulative, total, guaranteed };
}

/**
 * The prize whose span of the cumulative weights holds the ticket: the first entry above it. A prize
 * of weight 0 repeats the entry before it and so is never the first.
 */
function prizeAt<P>(prizes: readonly P[], cumulative: readonly number[], ticket: number): P | null {
  let low = 0;
  let high = cumulative.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((cumulative[middle] ?? 0) > ticket) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return prizes[low] ?? null;
}

/** The guaranteed prize that stands in for one without stock; null when none has stock left. */
export function guaranteedInStock<P extends WeightedPrize>(
  table: WeightTable<P>,
  gone: IsGone<P>,
): P | null {
  return table.guaranteed.find((prize) => !gone(prize)) ?? null;
}

interface Outcome<P> {
  readonly prize: P;
  readonly fallback_ticket: number | null;
}

/**
 * The one mapping from tickets to a prize (behaviour §5). `fallback` gives the second ticket, asked
 * for only when it decides; null from it, as from this function, means that no prize follows.
 */
function settle<P extends WeightedPrize>(
  table: WeightTable<P>,
  gone: IsGone<P>,
  ticket: number,
  fallback: (below: number) => number | null,
): Outcome<P> | null {
  const named = prizeAt(table.prizes, table.cumulative, ticket);
  if (named !== null && !gone(named)) {
    return { prize: named, fallback_ticket: null };
  }
  const guaranteed = guaranteedInStock(table, gone);
  if (guaranteed !== null) {
    return { prize: guaranteed, fallback_ticket: null };
  }
  const cumulative = cumulate(table.prizes, gone);
  const total = cumulative.at(-1) ?? 0;
  if (total === 0) {
    return null;
  }
  const fallback_ticket = fallback(total);
  if (fallback_ticket === null) {
    return null;
  }
  const prize = prizeAt(table.prizes, cumulative, fallback_ticket);
  return prize === null ? null : { prize, fallback_ticket };
}

/**
 * Draws a prize of the pool as its stock is now (behaviour §5); null means sold out. Changes
 * nothing: the caller lowers the stock. `random(below)` gives a whole number from 0 to `below` − 1,
 * each equally likely; it is asked at most twice and never with 0. Throws RangeError when it gives
 * anything else, rather than pay out a prize that nobody drew.
 */
export function pickPrize(
  table: WeightTable<PoolPrize>,
  random: (below: number) => number,
): PrizePick | null {
  const drawTicket = (below: number) => {
    const ticket = random(below);
    if (!isTicket(ticket, below)) {
      throw new RangeError(`not a ticket below ${below}: ${ticket}`);
    }
    return ticket;
  };
  // Weights that are all 0 leave nothing to draw from; the guaranteed prize can still be given.
  const ticket = table.total === 0 ? 0 : drawTicket(table.total);
  const outcome = settle(table, isGone, ticket, drawTicket);
  if (outcome === null) {
    return null;
  }
  return {
    prize_id: outcome.prize.id,
    ticket,
    fallback_ticket: outcome.fallback_ticket,
    exhausted: table.prizes.filter(isGone).map((prize) => prize.id),
  };
}

/** Would every draw be refused as sold out now? So it is when `pickPrize` finds no prize. */
export function isSoldOut(table: WeightTable<PoolPrize>): boolean {
  const weight = cumulate(table.prizes, isGone).at(-1) ?? 0;
  return guaranteedInStock(table, isGone) === null && weight === 0;
}

/**
 * The prize id that follows from what a record holds and from the prizes of its pool version, in id
 * order (behaviour §3, §5). Null when no draw can have left these values: a ticket out of range, a
 * fallback ticket missing or not needed, an exhausted prize that the pool does not have, nothing in
 * stock. Throws RangeError as `weightTable` does.
 */
export function deriveDraw(
  prizes: readonly WeightedPrize[],
  ticket: number,
  fallback_ticket: number | null,
  exhausted: readonly number[],
): number | null {
  const table = weightTable(prizes);
  const gone = new Set(exhausted);
  const known = prizes.filter((prize) => gone.has(prize.id)).length === gone.size;
  if (!known || !isTicket(ticket, Math.max(table.total, 1))) {
    return null;
  }
  const outcome = settle(
    table,
    (prize) => gone.has(prize.id),
    ticket,
    (below) =>
      fallback_ticket !== null && isTicket(fallback_ticket, below) ? fallback_ticket : null,
  );
  return outcome === null || outcome.fallback_ticket !== fallback_ticket ? null : outcome.prize.id;
}
