/** How many draws a player has in a round, what the next one needs, and which chance a draw uses (behaviour §4). */
import { CONDITION_FORMULAS, CONDITION_NAMES, CONDITION_TYPES } from "@red/contract/platform/codes";
import type {
  ConditionFormula,
  ConditionName,
  ConditionType,
  DrawLimit,
} from "@red/contract/platform/codes";

/** The part of a round that decides its chances, named as on the wire. */
export interface RoundRule {
  readonly condition_name: ConditionName;
  /** "0" for no limit and whitelist. */
  readonly condition_formula: ConditionFormula | "0";
  /** "0" for no limit and whitelist. */
  readonly condition_type: ConditionType | "0";
  /** At least 1 for deposits and bets, 0 for no limit and whitelist. */
  readonly condition_value_cents: number;
  /** Draws per time that the condition is met, 1 … 5. */
  readonly condition_times: number;
}

/** Facts of the rows that count: in the window, neither reversed nor voided. */
export interface EarningFacts {
  readonly sum_cents: number;
  /** The largest row; 0 without rows. */
  readonly max_cents: number;
  /** Σ floor(amount / condition value) over the rows; 0 without rows and for a value of 0. */
  readonly fulls: number;
}

/**
 * Upper limit of sums, in cents (ten thousand billion). Five draws per cent of it are still a safe integer, so one player with
 * absurd sums does not stop the others of the batch.
 */
export const FACTS_MAX = 1_000_000_000_000_000;

export const NO_FACTS: EarningFacts = { sum_cents: 0, max_cents: 0, fulls: 0 };

/** A rule over deposits or bets, decoded. */
export interface CountedRule {
  readonly source: "deposit" | "bet";
  /** True: all rows together; false: each row by itself. */
  readonly cumulative: boolean;
  /** True: for every full value; false: once. */
  readonly repeatable: boolean;
  readonly value_cents: number;
  readonly times: number;
}

/** A round's limits of a player's draws, at least 1; null: no limit. */
export interface DrawLimits {
  /** In the round. */
  readonly draws_max: number | null;
  /** On the business day, in all rounds. */
  readonly day_draws_max: number | null;
}

/** The largest `total` that the limits allow, and the limit that sets it. */
export interface Ceiling {
  readonly most: number;
  readonly by: DrawLimit | null;
}

export const NO_CEILING: Ceiling = { most: Number.POSITIVE_INFINITY, by: null };

/** `total` granted, `already` drawn, `remain` left; never negative. */
export interface Chances {
  readonly total: number;
  readonly already: number;
  readonly remain: number;
  /** The limit that takes draws away; null: no limit does. */
  readonly limited_by: DrawLimit | null;
}

/** An extra time that is unused and not expired at the time of the draw. */
export interface UsableExtra {
  readonly id: number;
  readonly expire_at_ms: number;
}

/** The chance that a draw uses up. */
export type Chance = { readonly kind: "earned" } | { readonly kind: "extra"; readonly id: number };

/**
 * Decodes the rule; null for no limit and whitelist, which count no rows (behaviour §4). Throws RangeError
 * for a rule that cannot be saved: deposits or bets without formula, without type, or with a value that is
 * no whole number of cents above 0.
 */
export function countedRule(rule: RoundRule): CountedRule | null {
  const { condition_name, condition_formula, condition_type, condition_value_cents } = rule;
  if (condition_name === CONDITION_NAMES.no_limit || condition_name === CONDITION_NAMES.whitelist) {
    return null;
  }
  if (condition_formula === "0" || condition_type === "0") {
    throw new RangeError("a rule over deposits or bets needs a formula and a type");
  }
  if (!Number.isSafeInteger(condition_value_cents) || condition_value_cents <= 0) {
    throw new RangeError(`not a condition value in cents: ${condition_value_cents}`);
  }
  return {
    source: condition_name === CONDITION_NAMES.deposit ? "deposit" : "bet",
    cumulative: condition_formula === CONDITION_FORMULAS.cumulative,
    repeatable: condition_type === CONDITION_TYPES.repeatable,
    value_cents: condition_value_cents,
    times: rule.condition_times,
  };
}

/** Exact for safe integers: a quotient below 2^53 never rounds up to the next whole number. */
function fullsIn(amount_cents: number, value_cents: number): number {
  return value_cents > 0 ? Math.floor(amount_cents / value_cents) : 0;
}

/** Facts of the amounts that count, as the database computes them. Throws RangeError if the sum is no safe integer. */
export function factsOf(amounts: readonly number[], value_cents: number): EarningFacts {
  let sum_cents = 0;
  let max_cents = 0;
  let fulls = 0;
  for (const amount of amounts) {
    sum_cents += amount;
    max_cents = Math.max(max_cents, amount);
    fulls += fullsIn(amount, value_cents);
  }
  if (!Number.isSafeInteger(sum_cents)) {
    throw new RangeError(`not a whole number of cents: ${sum_cents}`);
  }
  return { sum_cents, max_cents, fulls };
}

/** Facts of two lists of rows together; sums are capped at FACTS_MAX, as in the database. */
export function plusFacts(some: EarningFacts, others: EarningFacts): EarningFacts {
  return {
    sum_cents: Math.min(some.sum_cents + others.sum_cents, FACTS_MAX),
    max_cents: Math.max(some.max_cents, others.max_cents),
    fulls: Math.min(some.fulls + others.fulls, FACTS_MAX),
  };
}

/** How often the condition is met: 0 or 1 for a rule that counts once. */
function timesMet(rule: CountedRule, facts: EarningFacts): number {
  if (rule.repeatable) {
    return rule.cumulative ? fullsIn(facts.sum_cents, rule.value_cents) : facts.fulls;
  }
  return (rule.cumulative ? facts.sum_cents : facts.max_cents) >= rule.value_cents ? 1 : 0;
}

/**
 * Draws earned by the rule alone, without extra times (behaviour §4). No limit earns its draws without any
 * row; whitelist earns none. `facts.fulls` must be computed with the rule's own value. Throws RangeError like
 * `countedRule`.
 */
export function earnedDraws(rule: RoundRule, facts: EarningFacts): number {
  const counted = countedRule(rule);
  if (counted !== null) {
    return timesMet(counted, facts) * counted.times;
  }
  return rule.condition_name === CONDITION_NAMES.no_limit ? rule.condition_times : 0;
}

/** What the limits allow a player with `already` draws in the round and `drawn_today` in all rounds (behaviour §4). */
export function ceilingOf(
  { draws_max, day_draws_max }: DrawLimits,
  { already, drawn_today }: { readonly already: number; readonly drawn_today: number },
): Ceiling {
  const round = draws_max === null ? NO_CEILING : { most: draws_max, by: "draws_max" as const };
  if (day_draws_max === null) {
    return round;
  }
  const most = already + Math.max(0, day_draws_max - drawn_today);
  return most < round.most ? { most, by: "day_draws_max" } : round;
}

/**
 * The answer of `lottimes` (behaviour §4). `already` counts the player's records in the round, `extra_unused`
 * the group's unused and unexpired extra times, `extra_used_here` those used in this round. `remain` is 0
 * when a reversal took back more draws than were left, or a limit was lowered below what was drawn.
 */
export function chancesOf(
  counts: {
    readonly earned: number;
    readonly already: number;
    readonly extra_unused: number;
    readonly extra_used_here: number;
  },
  { most, by }: Ceiling = NO_CEILING,
): Chances {
  const { already } = counts;
  const granted = counts.earned + counts.extra_unused + counts.extra_used_here;
  const total = Math.min(granted, most);
  const limited_by = granted > Math.max(most, already) ? by : null;
  return { total, already, remain: Math.max(0, total - already), limited_by };
}

/**
 * What earns the next draw: the missing sum for a cumulative rule, the size of one row for a single one
 * (behaviour §4). A player who drew more than is granted must earn that first. Null if no amount earns another draw: no
 * limit, whitelist, a rule that counts once and is met or only covers what is owed, or a limit of draws. Throws RangeError like
 * `countedRule`.
 */
export function nextChance(
  rule: RoundRule,
  facts: EarningFacts,
  { total, already }: Pick<Chances, "total" | "already">,
  { most }: Ceiling = NO_CEILING,
): { readonly source: "deposit" | "bet"; readonly missing_cents: number } | null {
  const counted = countedRule(rule);
  if (counted === null || Math.max(total, already) >= most) {
    return null;
  }
  const { source, cumulative, repeatable, value_cents, times } = counted;
  const met = timesMet(counted, facts);
  const further = Math.floor(Math.max(0, already - total) / times) + 1;
  if (!repeatable && met + further > 1) {
    return null;
  }
  const missing_cents = cumulative
    ? (met + further) * value_cents - facts.sum_cents
    : further * value_cents;
  return { source, missing_cents };
}

/** The first to expire; of equal expiries the lowest id. */
function earliest(extras: readonly UsableExtra[]): UsableExtra | null {
  const sorted = extras.toSorted((a, b) => a.expire_at_ms - b.expire_at_ms || a.id - b.id);
  return sorted[0] ?? null;
}

/**
 * The chance that the next draw uses (behaviour §4): an extra time that expires before the round ends, earliest
 * first, since the player would lose it; else an earned chance; else the extra time that expires first. Null
 * when nothing is left. `extras` are the group's unused and unexpired ones; `earned_used` counts the records
 * drawn on earned chances. Both ends include their second, so the stored values are compared: an extra time
 * that expires in the round's last second does not expire before it.
 */
export function chooseChance(state: {
  readonly earned: number;
  readonly earned_used: number;
  readonly extras: readonly UsableExtra[];
  readonly round_end_ms: number;
  readonly remain: number;
}): Chance | null {
  if (state.remain <= 0) {
    return null;
  }
  const extra = earliest(state.extras);
  if (extra !== null && extra.expire_at_ms < state.round_end_ms) {
    return { kind: "extra", id: extra.id };
  }
  if (state.earned_used < state.earned) {
    return { kind: "earned" };
  }
  return extra === null ? null : { kind: "extra", id: extra.id };
}
