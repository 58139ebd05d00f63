/** Explains row by row why a player has a certain number of draws in a round (behaviour §4, §5). */
import * as z from "zod/mini";
import { arrivalShape, EVENT_KINDS } from "#events/event";
import { takenBack } from "#players/extra-times";
import { DRAW_LIMITS, EXCLUSION_KINDS } from "#platform/codes";
import { houseMoney, plain, playerAmount, words } from "#platform/marks";

/**
 * Whether a deposit or bet counts, or why it does not count. A row may be outside the condition window, cancelled, on
 * another platform, or below the value of a rule for single rows; or a rule that counts once was met before.
 */
export const VERDICTS = [
  "counted",
  "before_window",
  "after_window",
  "cancelled",
  "other_platform",
  "too_small",
  "already_reached",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * The main reason for a player's number of draws in a round. `left`: some draws remain. `draws_max`,
 * `day_draws_max`: this limit of the round blocks the remaining draws. `all_used`: the player has used all
 * granted draws. `taken_back`: the player has drawn more often than is granted now. Without granted draws the
 * reason is `no_extra` on a whitelist. Otherwise it is the nearest miss: the sum or the largest row is below
 * the value, all rows in the window are reversed or void, the nearest row misses the window, all bets are on
 * other platforms, all rows are of the other kind, or there are no rows.
 */
export const CHANCE_REASONS = [
  "left",
  ...DRAW_LIMITS,
  "all_used",
  "taken_back",
  "no_extra",
  "sum_below",
  "largest_below",
  "all_cancelled",
  "outside_window",
  "other_platform",
  "other_kind",
  "no_rows",
] as const;
export type ChanceReason = (typeof CHANCE_REASONS)[number];

/** Conditions that block a player who has draws left (behaviour §5), in display order. */
export const DRAW_GATES = [
  "blocked",
  "excluded",
  "draws_stopped",
  "pool_stopped",
  "paused",
  "not_started",
  "ended",
  "sold_out",
] as const;
export type DrawGate = (typeof DRAW_GATES)[number];

/**
 * Maximum number of rows in the condition window. NEAR_ROWS_MAX limits the rows near the window on each side,
 * and the rows of the other kind.
 */
export const EXPLAINED_ROWS_MAX = 200;
export const NEAR_ROWS_MAX = 20;
export const EXPLAINED_USES_MAX = 200;

/** Whether the player may draw in this round, and the reason. */
export const standing = z.object({
  rounds_id: z.int(),
  rounds_name: plain(),
  tag: plain(),
  start_time: plain(),
  end_time: plain(),
  achieve_start_time: plain(),
  achieve_end_time: plain(),
  /** The kind of rows that the rule counts; null if the rule counts neither deposits nor bets. */
  source: z.nullable(z.enum(EVENT_KINDS)),
  condition_name: z.enum(["0", "1", "2", "3"]),
  /** True: the rule counts all rows together. False: the rule counts each row alone. */
  cumulative: z.boolean(),
  repeatable: z.boolean(),
  condition_value: houseMoney(),
  condition_times: z.int(),
  total: z.int(),
  already: z.int(),
  remain: z.int(),
  limited_by: z.nullable(z.enum(DRAW_LIMITS)),
  draws_max: z.nullable(z.int()),
  day_draws_max: z.nullable(z.int()),
  gates: z.array(z.enum(DRAW_GATES)),
  /** With the gate `excluded`: the active exclusion that lasts longest. `until` null means no end. */
  exclusion: z.nullable(z.object({ kind: z.enum(EXCLUSION_KINDS), until: z.nullable(plain()) })),
  reason: z.enum(CHANCE_REASONS),
  /** The number of rows that the reason is about. `amount` is their sum, the largest amount or the nearest amount. */
  count: z.int(),
  amount: z.nullable(playerAmount()),
  /** With `outside_window`: the time of the nearest row. `side` is its side of the window. */
  at: z.nullable(plain()),
  side: z.nullable(z.enum(["before_window", "after_window"])),
  /** What earns the next draw: the missing sum, or the size of one row. Null if no amount earns a draw. */
  missing: z.nullable(playerAmount()),
});
export type Standing = z.output<typeof standing>;

const row = z.object({
  no: plain(),
  amount: playerAmount(),
  created_at: plain(),
  ...arrivalShape,
  /** Only for deposits. */
  channel: z.nullable(z.int()),
  /** Only for bets. */
  platform: z.nullable(z.int()),
  /** The time at which the reversal or void reached us. `cancel_reason` is its reason. */
  cancelled_at: z.nullable(plain()),
  cancel_reason: z.nullable(words()),
});

export const explainedRow = z.extend(row, {
  verdict: z.enum(VERDICTS),
  /** With a cumulative rule: the sum of all rows up to this row, including this row. */
  sum: z.nullable(playerAmount()),
  /** The highest multiple of the condition value that the sum reaches with this row. */
  crossed: z.nullable(playerAmount()),
  draws: z.int(),
});
export type ExplainedRow = z.output<typeof explainedRow>;

/** How an extra time counts in the round: only `unused` and `used_here` add a draw. */
export const EXTRA_USES = [
  "unused",
  "used_here",
  "used_elsewhere",
  "expired",
  "other_group",
  "taken_back",
] as const;

export const explainedExtra = z.object({
  id: z.int(),
  tag: plain(),
  expire_time: plain(),
  use: z.enum(EXTRA_USES),
  taken_back: z.nullable(takenBack),
  /** The round in which the player used the extra time. */
  rounds_id: z.nullable(z.int()),
  rounds_name: z.nullable(plain()),
});
export type ExplainedExtra = z.output<typeof explainedExtra>;

const explainedDraw = z.object({
  log_id: z.int(),
  draw_no: z.int(),
  created_at: plain(),
  award_name: plain(),
  award_price: playerAmount(),
  /** Null if the player earned this draw. */
  extra_time_id: z.nullable(z.int()),
});

/** Rows that the list leaves out, all older than the listed rows. `amount` and `draws` include only rows that count. */
const unlisted = z.object({ count: z.int(), amount: playerAmount(), draws: z.int() });

/** Rows in the window of the kind that the rule does not count. */
const otherKind = z.object({
  kind: z.enum(EVENT_KINDS),
  count: z.int(),
  /** Sum of the rows without reversed and voided rows. */
  amount: playerAmount(),
  rows: z.array(row),
});

export const explanation = z.extend(standing, {
  rule_text: plain(),
  /** `total` = earned + extra_unused + extra_used_here, or less if a limit applies. */
  earned: z.int(),
  extra_unused: z.int(),
  extra_used_here: z.int(),
  /** Sum of all rows in the window that are neither reversed nor void. */
  sum: playerAmount(),
  /** Newest first: the rows in the window, and the rows near it. */
  rows: z.array(explainedRow),
  more: unlisted,
  others: z.array(otherKind),
  extras: z.array(explainedExtra),
  extras_more: z.int(),
  draws: z.array(explainedDraw),
  draws_more: z.int(),
});
export type Explanation = z.output<typeof explanation>;

/** What the server knows about a past time. */
const knownThen = z.object({
  as_of: plain(),
  /**
   * Facts that nobody recorded: the arrival of rows (such rows count from their own time), or whether a gate
   * blocked the player at that time.
   */
  unknown: z.array(z.enum(["arrival", "blocked", "sold_out"])),
});
export type KnownThen = z.output<typeof knownThen>;

export const supportExplanation = z.extend(explanation, {
  /** Present only when the answer is about a past time. */
  known: z.optional(knownThen),
});
export type SupportExplanation = z.output<typeof supportExplanation>;
