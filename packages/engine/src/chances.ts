/**
 * Computes how many draws a player has in a round, what the next draw needs, and which chance a draw uses
 * (behaviour §4).
 */
import { CONDITION_FORMULAS, CONDITION_NAMES, CONDITION_TYPES } from "@red/contract/platform/codes";
import type {
  ConditionFormula,
  ConditionName,
  ConditionType,
  DrawLimit,
} from "@red/contract/platform/codes";

/** The fields of a round that decide a player's chances, with their API names. */
export interface RoundRule {
  readonly condition_name: ConditionName;
  /** "0" for rules without limit and whitelist rules. */
  readonly condition_formula: ConditionFormula | "0";
  /** "0" for rules without limit and whitelist rules. */
  readonly condition_type: ConditionType | "0";
  /** At least 1 for deposits and bets; 0 for rules without limit and whitelist rules. */
  readonly condition_value_cents: number;
  /** Number of draws for each time that the player meets the condition, 1 … 5. */
  readonly condition_times: number;
}

/** Facts about the rows that count: rows in the window that are neither reversed nor voided. */
export interface EarningFacts {
  readonly sum_cents: number;
  /** The largest row; 0 if there are no rows. */
  readonly max_cents: number;
  /** Σ floor(amount / condition value) over the rows; 0 if there are no rows or the value is 0. */
  readonly fulls: number;
}

/**
 * Upper limit of sums, in cents (ten thousand billion). Five draws per cent of this sum are still a safe
 * integer, so absurd sums of one player do not stop the other players of the batch.
 */
export const FACTS_MAX = 1_000_000_000_000_000;

export const NO_FACTS: EarningFacts = { sum_cents: 0, max_cents: 0, fulls: 0 };

/** A decoded rule over deposits or bets. */
export interface CountedRule {
  readonly source: "deposit" | "bet";
  /** True: the rule counts all rows together. False: the rule counts each row alone. */
  readonly cumulative: boolean;
  /** True: every full value earns draws. False: only the first full value does. */
  readonly repeatable: boolean;
  readonly value_cents: number;
  readonly times: number;
}

/** Draw limits of a round for each player, at least 1; null means no limit. */
export interface DrawLimits {
  /** Limit in the round. */
  readonly draws_max: number | null;
  /** Limit on the business day, in all rounds together. */
  readonly day_draws_max: number | null;
}

/** The largest `total` that the limits allow, and the limit that causes it. */
export interface Ceiling {
  readonly most: number;
  readonly by: DrawLimit | null;
}

export const NO_CEILING: Ceiling = { most: Number.POSITIVE_INFINITY, by: null };

/** Number of draws granted (`total`), made (`already`) and left (`remain`); never negative. */
export interface Chances {
  readonly total: number;
  readonly already: number;
  readonly remain: number;
  /** The limit that reduces the draws; null if no limit does. */
  readonly limited_by: DrawLimit | null;
}

/** An extra time that is unused and not expired at the time of the draw. */
export interface UsableExtra {
  readonly id: number;
  readonly expire_at_ms: number;
}

export type Chance = { readonly kind: "earned" } | { readonly kind: "extra"; readonly id: number };

/**
 * Decodes the rule. Returns null for rules without limit and whitelist rules, which count no rows (behaviour
 * §4). Throws RangeError for a rule that cannot be saved: deposits or bets without formula, without type, or
 * with a value that is not a whole number of cents above 0.
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

/** Exact for safe integers, because a quotient below 2^53 never rounds up to the next whole number. */
function fullsIn(amount_cents: number, value_cents: number): number {
  return value_cents > 0 ? Math.floor(amount_cents / value_cents) : 0;
}

/**
 * Returns the facts of the amounts that count, with the same result as in the database. Throws RangeError if
 * the sum is not a safe integer.
 */
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

/** Adds up the facts of two lists of rows. Sums stop at FACTS_MAX, as in the database. */
export function plusFacts(some: EarningFacts, others: EarningFacts): EarningFacts {
  return {
    sum_cents: Math.min(some.sum_cents + others.sum_cents, FACTS_MAX),
    max_cents: Math.max(some.max_cents, others.max_cents),
    fulls: Math.min(some.fulls + others.fulls, FACTS_MAX),
  };
}

/** Returns how often the rows meet the condition: 0 or 1 for a rule that counts once. */
function timesMet(rule: CountedRule, facts: EarningFacts): number {
  if (rule.repeatable) {
    return rule.cumulative ? fullsIn(facts.sum_cents, rule.value_cents) : facts.fulls;
  }
  return (rule.cumulative ? facts.sum_cents : facts.max_cents) >= rule.value_cents ? 1 : 0;
}

/**
 * Returns the draws that the rule alone earns, without extra times (behaviour §4). A rule without limit earns
 * its draws without any row; a whitelist rule earns none. `facts.fulls` must be computed with the value of
 * this rule. Throws RangeError like `countedRule`.
 */
export function earnedDraws(rule: RoundRule, facts: EarningFacts): number {
  const counted = countedRule(rule);
  if (counted !== null) {
    return timesMet(counted, facts) * counted.times;
  }
  return rule.condition_name === CONDITION_NAMES.no_limit ? rule.condition_times : 0;
}

/**
 * Returns the largest total for a player who has made `already` draws in the round and `drawn_today` draws in
 * all rounds (behaviour §4).
 */
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
 * Returns the data of the call `lottimes` (behaviour §4). `already` counts the player's records in the round,
 * `extra_unused` the group's unused and unexpired extra times, `extra_used_here` the extra times used in this round.
 * `remain` is 0 if a reversal took back more draws than were left, or if a limit is now below the draws made.
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
 * Returns what earns the next draw: the missing sum for a cumulative rule, or the size of one row for a
 * single-row rule (behaviour §4). A player who drew more often than is granted must earn those draws first.
 * Returns null if no amount earns another draw: for rules without limit, for whitelist rules, at a draw
 * limit, or for a rule that counts once and cannot earn a new draw. Throws RangeError like `countedRule`.
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

/** Returns the extra time that expires first. For equal expiries the lowest id comes first. */
function earliest(extras: readonly UsableExtra[]): UsableExtra | null {
  const sorted = extras.toSorted((a, b) => a.expire_at_ms - b.expire_at_ms || a.id - b.id);
  return sorted[0] ?? null;
}

/**
 * Returns the chance that the next draw uses (behaviour §4); null if nothing is left. An extra time that
 * expires before the round ends comes first, because the player would lose it; then an earned chance; then
 * the extra time that expires first. `extras` are the group's unused and unexpired extra times; `earned_used`
 * counts the records drawn on earned chances. Round end and expiry both include their whole second, so an
 * extra time that expires in the round's last second does not expire before the round.
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
