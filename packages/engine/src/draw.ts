/** Decides which prize a ticket wins (behaviour §5). A draw and the later check of its record use the same mapping. */
import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";

/** The fields of a prize that the mapping needs; a pool version has the same fields. */
export interface WeightedPrize {
  readonly id: number;
  /** A whole number, at least 0. */
  readonly weight: number;
  /** True for a guaranteed prize, which replaces a prize without stock. */
  readonly floors: boolean;
}

/** A prize with its stock, which the caller reduces after each draw. */
export interface PoolPrize extends WeightedPrize {
  left: number;
}

/** A pool prepared for many draws. The table references the prizes, so it always uses their current stock. */
export interface WeightTable<P extends WeightedPrize> {
  /** In id order. */
  readonly prizes: readonly P[];
  /** Entry i is the sum of the weights of prizes 0 … i. A ticket wins the prize of the first entry above the ticket. */
  readonly cumulative: readonly number[];
  /** Sum of the weights of all prizes, with and without stock. */
  readonly total: number;
  /** The guaranteed prizes, heaviest first. For equal weights the lowest id comes first. */
  readonly guaranteed: readonly P[];
}

/** A drawn prize, with the values that the later check of the record needs. */
export interface PrizePick {
  readonly prize_id: number;
  /** A random number from [0, sum of all weights); 0 if that sum is 0. */
  readonly ticket: number;
  /** A second random number from [0, sum of the weights with stock); null if the draw did not need a second number. */
  readonly fallback_ticket: number | null;
  /** Ids of the prizes without stock just before this draw, in id order. */
  readonly exhausted: number[];
}

/** Tells whether the prize has no stock. A draw reads this from the prizes, a later check from the record. */
type IsGone<P> = (prize: P) => boolean;

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
 * Prepares a pool for many draws. Throws RangeError if the prizes are not in id order, a weight is not a
 * whole number of at least 0, or the weights add up to more than WEIGHT_SUM_MAX.
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
  // The sort is stable, so equal weights keep the id order.
  const guaranteed = prizes.filter((prize) => prize.floors).toSorted((a, b) => b.weight - a.weight);
  return { prizes, cumulative, total, guaranteed };
}

/**
 * Returns the prize whose cumulative weight is the first above the ticket. A prize of weight 0 has the same
 * cumulative weight as the prize before it, so it never wins.
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

/** Returns the guaranteed prize that replaces a prize without stock; null if no guaranteed prize has stock. */
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
 * The only mapping from tickets to a prize (behaviour §5); null means no prize. `fallback` draws the second ticket, and
 * is called only if the result depends on that ticket. If `fallback` returns null, there is no prize either.
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
 * Draws a prize of the pool at its current stock (behaviour §5); null means sold out. The caller reduces the
 * stock. `random(below)` returns a whole number from 0 to `below` − 1 with equal probability; the function
 * calls `random` at most twice, never with 0. Throws RangeError if `random` returns anything else, so that
 * nobody gets a prize that was not drawn.
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
  // If all weights are 0, no ticket can win, but the draw can still give the guaranteed prize.
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

/** True exactly when `pickPrize` would return null. */
export function isSoldOut(table: WeightTable<PoolPrize>): boolean {
  const weight = cumulate(table.prizes, isGone).at(-1) ?? 0;
  return guaranteedInStock(table, isGone) === null && weight === 0;
}

/**
 * Returns the prize id that follows from a record and the prizes of its pool version in id order (behaviour §3, §5).
 * Returns null if no draw can have produced these values: a ticket out of range, a missing or unneeded fallback ticket,
 * an exhausted prize that the pool does not have, or nothing in stock. Throws RangeError like `weightTable`.
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
