/** Computes what a change may cost by the draws that it makes possible (behaviour §16). */
import { expectedCostOf } from "./expected-cost.ts";
import { expectedCostCents, sumOf } from "./odds.ts";
import type { PricedPrize } from "./odds.ts";

declare const VALUED: unique symbol;

/** What a change may cost in one pool; money is whole cents. */
export interface PoolRisk {
  readonly pool_name: string;
  /** Mean cost of a draw before the change. */
  readonly cost_before: number;
  readonly cost_after: number;
  /** Draws per hour of the pool's running rounds, or of the round that moves to the pool. */
  readonly draws_hour: number;
}

/** What a change may cost. Only the functions of this file can make a risk. */
export interface Risk {
  readonly [VALUED]: true;
  /** Whole cents, from 0 to the largest safe integer. */
  readonly cents: number;
  /**
   * The part of the risk that decides about the code. A newly used pool adds nothing, because the form
   * already shows its worth.
   */
  readonly code_cents: number;
  readonly pools: readonly PoolRisk[];
  /** Whether the change needs a code above a threshold, or always. */
  readonly code: "by_sum" | "always";
  /**
   * Whether the change needs a reason and a second person from their thresholds on, always while either
   * threshold is on, or never.
   */
  readonly others: "by_sum" | "always" | "never";
}

function risked(cents: number, of: Partial<Omit<Risk, typeof VALUED | "cents">> = {}): Risk {
  const safe = Math.min(cents, Number.MAX_SAFE_INTEGER);
  const whole = { cents: safe, code_cents: safe, pools: [] } as const;
  const risk = { ...whole, code: "by_sum", others: "by_sum", ...of } as const;
  // VALUED exists only in the type.
  return risk as typeof risk & Pick<Risk, typeof VALUED>;
}

/** The risk of a change that costs nothing. `_why` is only for readers and for the test that lists these changes. */
export function noRisk(_why: string): Risk {
  return risked(0);
}

/** The risk of a change that never waits for others, such as a stop. */
export function neverHeld(_why: string): Risk {
  return risked(0, { others: "never" });
}

/** The risk of a change that others must always see, such as giving somebody access. */
export function aboveAnySum(_why: string): Risk {
  return risked(0, { others: "always" });
}

/** Returns the same risk, but always with a code. */
export function withCode(risk: Risk): Risk {
  return { ...risk, code: "always" };
}

export function riskOfPayouts(cents: number): Risk {
  return risked(cents);
}

/** The risk of `count` extra draws from the pool in which the draws cost most. */
export function riskOfDraws(count: number, pools: readonly (readonly PricedPrize[])[]): Risk {
  return risked(Math.max(0, ...pools.map((prizes) => expectedCostCents(prizes, count))));
}

/** A round that has not ended: it is running, paused, or not started. */
export interface CountingRound {
  readonly id: number;
  readonly pool_id: number;
  /** Business day on which the round starts. */
  readonly start_date: string;
  /** Number of seconds in which players can still draw. */
  readonly seconds_left: number;
  /** Largest number of draws in ten minutes of the last 28 days, in this round or in the rounds of its group. */
  readonly peak: number;
  /** Number of chances that players held before the change. */
  readonly held: number;
  /** Number of draws that the rule grants beyond the previous rule. */
  readonly grown: number;
  /** True if the change creates the round. A pool newly used by such a round counts only by its worth. */
  readonly is_made: boolean;
}

export interface StandingPool {
  readonly id: number;
  readonly pool_name: string;
  /** In id order. Physical prizes have a price here too. */
  readonly prizes: readonly PricedPrize[];
  /** Draws per hour of the pool's running rounds, only for display. */
  readonly draws_hour: number;
}

/** The pools that a change touches, and the rounds that use them. */
export interface Standing {
  readonly rounds: readonly CountingRound[];
  readonly pools: readonly StandingPool[];
}

/**
 * The worth of the pools with which the rounds of a business day started, in whole cents. `others` contains
 * the rounds that the change does not touch, by day.
 */
export interface Allowance {
  /** The largest worth of one day in the last 28 days. */
  readonly usual: number;
  readonly others: ReadonlyMap<string, number>;
}

/** Every round counts at least this number of future draws. */
const AHEAD_MIN = 1_000;
const PEAK_SECONDS = 600;

/**
 * Returns the draws at the highest rate until the end, or all draws that players hold, if that is more; at least 1,000.
 */
function drawsAhead({ peak, seconds_left, held }: CountingRound): number {
  return Math.max(AHEAD_MIN, Math.ceil((peak * seconds_left) / PEAK_SECONDS), held);
}

const worthOf = (prizes: readonly PricedPrize[]) =>
  prizes.map(({ award_price_cents, left }) => award_price_cents * left);

/**
 * Returns how much the worth of all remaining pieces grows. A loss of one prize does not offset the growth of
 * another prize.
 */
function grownWorth(before: readonly PricedPrize[], after: readonly PricedPrize[]): number {
  const was = new Map(before.map((prize) => [prize.id, prize.award_price_cents * prize.left]));
  return sumOf(
    after.map(({ id, award_price_cents: price, left }) =>
      Math.max(0, price * left - (was.get(id) ?? 0)),
    ),
  );
}

function usedOf({ rounds, pools }: Standing): Map<number, StandingPool> {
  const used = new Set(rounds.map(({ pool_id }) => pool_id));
  return new Map(pools.filter(({ id }) => used.has(id)).map((pool) => [pool.id, pool]));
}

/**
 * Returns the worth of newly used pools that exceeds a usual day, by the start days of their rounds. Rounds that move
 * to another day count too. A pool in use keeps its old worth on both sides, because its growth counts separately.
 */
function enteringWorth(before: Standing, after: Standing, allowance: Allowance | null): number {
  if (allowance === null) {
    return 0;
  }
  const { usual, others } = allowance;
  const was = usedOf(before);
  const beyond = ({ rounds }: Standing, pools: ReadonlyMap<number, StandingPool>) => {
    const days = new Map(others);
    const counted = new Set<number>();
    for (const { start_date, pool_id } of rounds.toSorted((a, b) =>
      a.start_date < b.start_date ? -1 : 1,
    )) {
      const prizes = counted.has(pool_id) ? [] : (pools.get(pool_id)?.prizes ?? []);
      counted.add(pool_id);
      days.set(start_date, (days.get(start_date) ?? 0) + sumOf(worthOf(prizes)));
    }
    return new Map([...days].map(([day, worth]) => [day, Math.max(0, worth - usual)]));
  };
  const [old, next] = [beyond(before, was), beyond(after, new Map([...usedOf(after), ...was]))];
  return sumOf([...next].map(([day, worth]) => Math.max(0, worth - (old.get(day) ?? 0))));
}

/** Returns sets of pools between which rounds moved. */
function movedTogether(before: Standing, after: Standing): number[][] {
  let sets = after.pools.map(({ id }) => [id]);
  for (const { id, pool_id: to } of after.rounds) {
    const from = before.rounds.find((round) => round.id === id)?.pool_id ?? to;
    const [mine, rest] = [
      sets.filter((set) => set.includes(from) || set.includes(to)),
      sets.filter((set) => !set.includes(from) && !set.includes(to)),
    ];
    sets = [...rest, mine.flat()];
  }
  return sets;
}

/**
 * Returns how much the cost of the future draws grows. Pools between which rounds moved count together. New
 * rounds on a newly used pool add nothing here, because that pool counts by its worth.
 */
function grownPace(before: Standing, after: Standing): number {
  const was = usedOf(before);
  const costOf = (rounds: readonly CountingRound[], { id, prizes }: StandingPool) => {
    const ahead = rounds.filter(({ pool_id }) => pool_id === id).map(drawsAhead);
    return ahead.length === 0 ? 0 : expectedCostOf(sumOf(ahead), prizes);
  };
  const costAfter = (pool: StandingPool) => {
    const added = was.has(pool.id) ? [] : after.rounds.filter(({ is_made }) => is_made);
    return costOf(after.rounds, pool) - costOf(added, pool);
  };
  const growths = movedTogether(before, after).map((set) => {
    const of = ({ pools }: Standing) => pools.filter(({ id }) => set.includes(id));
    return (
      sumOf(of(after).map(costAfter)) - sumOf(of(before).map((pool) => costOf(before.rounds, pool)))
    );
  });
  return sumOf(growths.map((growth) => Math.max(0, growth)));
}

/**
 * Returns the cost of the draws that rules grant in addition, at most the worth of their pools. New rounds on
 * newly used pools add nothing.
 */
function grownChances(before: Standing, after: Standing): number {
  const was = usedOf(before);
  const costs = after.rounds.map(({ pool_id, grown, is_made }) => {
    const prizes = after.pools.find((pool) => pool.id === pool_id)?.prizes ?? [];
    const most = sumOf(worthOf(prizes));
    return is_made && !was.has(pool_id) ? 0 : Math.min(expectedCostCents(prizes, grown), most);
  });
  return sumOf(costs);
}

/** Returns the pools whose mean cost of a draw changed, compared with the previous pool of their round. */
function poolsOf(before: Standing, after: Standing): PoolRisk[] {
  return after.pools.flatMap(({ id, pool_name, prizes, draws_hour }) => {
    const here = after.rounds.filter(({ pool_id }) => pool_id === id);
    const moved = here.map((round) => before.rounds.find((one) => one.id === round.id)?.pool_id);
    const from = moved.find((pool_id) => pool_id !== undefined && pool_id !== id) ?? id;
    const was = before.pools.find((pool) => pool.id === from)?.prizes ?? [];
    const costs = { cost_before: expectedCostCents(was), cost_after: expectedCostCents(prizes) };
    const isShown = moved.some((pool_id) => pool_id !== undefined);
    return isShown && costs.cost_before !== costs.cost_after
      ? [{ pool_name, draws_hour, ...costs }]
      : [];
  });
}

/**
 * The risk of a change of rounds, pools or prizes (behaviour §16). It is the largest of three growths, at
 * least 0: the worth of all remaining pieces, the cost of the future draws, and the draws that rules grant. A
 * newly used pool adds the worth that exceeds a usual day, but nothing for the code, because the form shows
 * its worth. `allowance` is null if no pool is newly used or changes its day.
 */
export function riskOfChange(before: Standing, after: Standing, allowance: Allowance | null): Risk {
  const [was, will] = [usedOf(before), usedOf(after)];
  const stays = [...will].filter(([id]) => was.has(id));
  const grown = sumOf(
    stays.map(([id, { prizes }]) => grownWorth(was.get(id)?.prizes ?? [], prizes)),
  );
  const ahead = Math.max(Math.round(grownPace(before, after)), grownChances(before, after));
  const whole = grown + enteringWorth(before, after, allowance);
  const code_cents = Math.min(Math.max(grown, ahead), Number.MAX_SAFE_INTEGER);
  return risked(Math.max(whole, ahead), { code_cents, pools: poolsOf(before, after) });
}
