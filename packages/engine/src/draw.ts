/** Which prize a ticket wins (behaviour §5). A draw and its later derivation from the record share the mapping. */
import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";

/** A prize as the mapping needs it; a pool version has the same fields. */
export interface WeightedPrize {
  readonly id: number;
  /** A whole number, at least 0. */
  readonly weight: number;
  /** Guaranteed: given instead of a prize without stock. */
  readonly floors: boolean;
}

/** A prize with its stock, which the caller reduces after each draw. */
export interface PoolPrize extends WeightedPrize {
  left: number;
}

/** A pool prepared for many draws. It references the prizes, so it sees their current stock. */
export interface WeightTable<P extends WeightedPrize> {
  /** In id order. */
  readonly prizes: readonly P[];
  /** Entry i is Σ weight of the prizes 0 … i: the first entry above a ticket is its prize. */
  readonly cumulative: readonly number[];
  /** Σ weight of all prizes, with and without stock. */
  readonly total: number;
  /** The guaranteed prizes, heaviest first, then lowest id. */
  readonly guaranteed: readonly P[];
}

/** A drawn prize, with the values from which its record can be derived again. */
export interface PrizePick {
  readonly prize_id: number;
  /** Drawn from [0, Σ weight of the pool); 0 when that sum is 0. */
  readonly ticket: number;
  /** Drawn from [0, Σ weight of the prizes with stock); null unless it decided. */
  readonly fallback_ticket: number | null;
  /** Ids of the prizes without stock just before this draw, in id order. */
  readonly exhausted: number[];
}

/** Whether the prize has no stock. A draw asks the prizes, a later derivation the record. */
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
 * Prepares a pool for many draws. Throws RangeError when the prizes are not in id order, a weight is no whole
 * number of at least 0, or the weights add up to more than WEIGHT_SUM_MAX.
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
  // The sort is stable: equal weights keep the id order.
  const guaranteed = prizes.filter((prize) => prize.floors).toSorted((a, b) => b.weight - a.weight);
  return { prizes, cumulative, total, guaranteed };
}

/**
 * The prize of the ticket: the one with the first cumulative weight above it. A prize of weight 0 repeats the entry before
 * it, so it is never the first.
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

/** The guaranteed prize that replaces one without stock; null when none has stock. */
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
 * The one mapping from tickets to a prize (behaviour §5); null: no prize. `fallback` draws the second ticket and is called
 * only when that decides; its null gives no prize either.
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
 * stock. `random(below)` gives a whole number from 0 to `below` − 1, each equally likely; it is called at most
 * twice, never with 0. Throws RangeError when it gives anything else, rather than pay a prize that nobody drew.
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
  // If all weights are 0, nothing can be drawn, but the guaranteed prize can still be given.
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

/** Would every draw be refused as sold out? True exactly when `pickPrize` answers null. */
export function isSoldOut(table: WeightTable<PoolPrize>): boolean {
  const weight = cumulate(table.prizes, isGone).at(-1) ?? 0;
  return guaranteedInStock(table, isGone) === null && weight === 0;
}

/**
 * The prize id that follows from a record and the prizes of its pool version, in id order (behaviour §3, §5).
 * Null when no draw can have produced these values: a ticket out of range, a fallback ticket missing or not
 * needed, an exhausted prize that the pool does not have, nothing in stock. Throws RangeError like `weightTable`.
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
