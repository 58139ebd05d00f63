/**
 * Explains row by row why a player has this number of chances (behaviour §4). The draws of a row are the difference
 * that it makes to `earnedDraws`, so the explanation can never contradict the draws. Amounts are whole cents.
 */
import { DRAW_GATES } from "@red/contract/chances/explanation";
import type { ChanceReason, DrawGate, Verdict } from "@red/contract/chances/explanation";
import { CONDITION_NAMES } from "@red/contract/platform/codes";
import { countedRule, earnedDraws, factsOf, plusFacts } from "./chances.ts";
import type { Chances, CountedRule, EarningFacts, RoundRule } from "./chances.ts";

/** Position of a deposit or bet relative to the condition window. */
export type Place = "before_window" | "in_window" | "after_window";

/** A deposit or bet of the kind that the rule counts. */
export interface ExplainableRow {
  readonly amount_cents: number;
  readonly place: Place;
  /** True if reversed or voided. */
  readonly cancelled: boolean;
  /** True for a bet on a platform that the round does not count. */
  readonly other_platform: boolean;
}

export interface ExplainedRow {
  readonly verdict: Verdict;
  /** With a cumulative rule: the sum of all rows up to this row, including this row. Otherwise null. */
  readonly sum_cents: number | null;
  /**
   * The highest multiple of the condition value that the sum reached with this row; null if it reached no new multiple.
   */
  readonly crossed_cents: number | null;
  readonly draws: number;
}

/** True if the row is in the window, on a platform that counts, and neither reversed nor void. */
function decides({ place, cancelled, other_platform }: ExplainableRow): boolean {
  return place === "in_window" && !cancelled && !other_platform;
}

function verdictOf(rule: CountedRule, row: ExplainableRow, met_before: boolean): Verdict {
  if (row.place !== "in_window") {
    return row.place;
  }
  if (row.cancelled) {
    return "cancelled";
  }
  if (row.other_platform) {
    return "other_platform";
  }
  if (!rule.cumulative && factsOf([row.amount_cents], rule.value_cents).fulls === 0) {
    return "too_small";
  }
  return !rule.repeatable && met_before ? "already_reached" : "counted";
}

/**
 * Explains rows of the kind that the rule counts, in time order. `carried` contains the facts of earlier rows that are
 * not listed. Returns the draws of each row, and the facts of all rows. The draws of `carried` and of the rows add up
 * to the draws of these facts. Throws RangeError for a rule that counts no rows, and like `countedRule`.
 */
export function explainRows(
  rule: RoundRule,
  carried: EarningFacts,
  rows: readonly ExplainableRow[],
): { readonly rows: readonly ExplainedRow[]; readonly facts: EarningFacts } {
  const counted = countedRule(rule);
  if (counted === null) {
    throw new RangeError("the rule counts neither deposits nor bets");
  }
  let facts = carried;
  const explained = rows.map((row): ExplainedRow => {
    const before = earnedDraws(rule, facts);
    const verdict = verdictOf(counted, row, before > 0);
    if (!decides(row)) {
      return { verdict, sum_cents: null, crossed_cents: null, draws: 0 };
    }
    facts = plusFacts(facts, factsOf([row.amount_cents], counted.value_cents));
    const after = earnedDraws(rule, facts);
    const sum_cents = counted.cumulative ? facts.sum_cents : null;
    const crossed_cents =
      counted.cumulative && after > before ? (after / counted.times) * counted.value_cents : null;
    return { verdict, sum_cents, crossed_cents, draws: after - before };
  });
  return { rows: explained, facts };
}

export interface UncountedRows {
  readonly count: number;
  readonly sum_cents: bigint;
}

export interface NearRow {
  readonly side: "before_window" | "after_window";
  readonly amount_cents: number;
}

/** Everything that decides why a player has draws or no draws, except gates. */
export interface ChanceState {
  readonly rule: RoundRule;
  readonly chances: Chances;
  /** Facts of the rows that count. */
  readonly facts: EarningFacts;
  /** Rows in the window that are reversed or void. */
  readonly cancelled: UncountedRows;
  /** Bets in the window on platforms that the round does not count. */
  readonly other_platform: UncountedRows;
  /** Rows in the window of the kind that the rule does not count. */
  readonly other_kind: UncountedRows;
  /**
   * The row nearest to the window: the newest row before the window, or the oldest row after it if there is
   * no row before.
   */
  readonly nearest: NearRow | null;
}

export interface ChanceAnswer {
  readonly reason: ChanceReason;
  /** 0 if the reason is not about rows. */
  readonly count: number;
  /** The sum of the rows, their largest amount or the nearest amount; null if the reason is not about an amount. */
  readonly amount_cents: number | bigint | null;
}

function only(reason: ChanceReason): ChanceAnswer {
  return { reason, count: 0, amount_cents: null };
}

function about(reason: ChanceReason, { count, sum_cents }: UncountedRows): ChanceAnswer {
  return { reason, count, amount_cents: sum_cents };
}

function whyNothingEarned(rule: CountedRule, state: ChanceState): ChanceAnswer {
  const { facts, cancelled, nearest, other_platform, other_kind } = state;
  if (facts.max_cents > 0) {
    return rule.cumulative
      ? { reason: "sum_below", count: 0, amount_cents: facts.sum_cents }
      : { reason: "largest_below", count: 0, amount_cents: facts.max_cents };
  }
  if (cancelled.count > 0) {
    return about("all_cancelled", cancelled);
  }
  if (nearest !== null) {
    return { reason: "outside_window", count: 1, amount_cents: nearest.amount_cents };
  }
  if (other_platform.count > 0) {
    return about("other_platform", other_platform);
  }
  return other_kind.count > 0 ? about("other_kind", other_kind) : only("no_rows");
}

/** Returns why draws are left or no draws are left (behaviour §4). Throws RangeError like `countedRule`. */
export function chanceAnswer(state: ChanceState): ChanceAnswer {
  const { total, already, remain, limited_by } = state.chances;
  if (remain > 0) {
    return only("left");
  }
  if (limited_by !== null) {
    return only(limited_by);
  }
  if (already > total) {
    return only("taken_back");
  }
  if (total > 0) {
    return only("all_used");
  }
  const counted = countedRule(state.rule);
  return counted === null ? only("no_extra") : whyNothingEarned(counted, state);
}

interface Involvement {
  readonly rule: Pick<RoundRule, "condition_name">;
  readonly chances: Pick<Chances, "total" | "already">;
  readonly reason: ChanceReason;
  /** True if the round is paused for all players. */
  readonly paused: boolean;
}

/** Reasons that occur only if the player has rows of the kind that the round counts. */
const TRIED: ReadonlySet<ChanceReason> = new Set([
  "sum_below",
  "largest_below",
  "all_cancelled",
  "outside_window",
]);

function distance({ rule, chances, reason }: Involvement): number {
  const isForAll = rule.condition_name === CONDITION_NAMES.no_limit;
  if (chances.already > 0 || (chances.total > 0 && !isForAll)) {
    return 0;
  }
  if (TRIED.has(reason)) {
    return 1;
  }
  return chances.total > 0 ? 2 : 3;
}

/**
 * Sorts rounds for support staff (behaviour §4). First come rounds in which the player has drawn, or was
 * granted draws that not everybody gets; then rounds with rows of the player; then rounds open to everybody;
 * then the rest. Paused rounds come last. The sort is stable.
 */
export function byInvolvement<T>(items: readonly T[], of: (item: T) => Involvement): T[] {
  return items
    .map((item) => ({ item, far: distance(of(item)), behind: of(item).paused ? 1 : 0 }))
    .toSorted((one, other) => one.behind - other.behind || one.far - other.far)
    .map(({ item }) => item);
}

export type GateStates = Readonly<Record<DrawGate, boolean>>;

/** Returns the gates that block the player, in display order. */
export function closedGates(states: GateStates): DrawGate[] {
  return DRAW_GATES.filter((gate) => states[gate]);
}
