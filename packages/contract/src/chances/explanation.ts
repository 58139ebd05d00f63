/** Why a player has this number of draws in a round, row by row (behaviour §4, §5). */
import * as z from "zod/mini";
import { arrivalShape, EVENT_KINDS } from "#events/event";
import { takenBack } from "#players/extra-times";
import { DRAW_LIMITS, EXCLUSION_KINDS } from "#platform/codes";
import { houseMoney, plain, playerAmount, words } from "#platform/marks";

/**
 * Whether a deposit or bet counts, and if not, why: outside the condition window; reversed or voided; a bet on another
 * platform; below the value of a rule for single rows; or a rule that counts once was met before.
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
 * The main reason for a player's number of draws in a round. `left`: some remain. `draws_max`, `day_draws_max`: a limit of the
 * round holds back the rest. `all_used`: all granted draws are drawn. `taken_back`: more were drawn than are granted now.
 * Without granted draws: `no_extra` on a whitelist, else what came closest: the sum or the largest row is below the value, all
 * rows in the window are reversed or void, the nearest row misses the window, all bets are on other platforms, all rows are
 * of the other kind, or there are no rows.
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

/** States that block a player who has draws left (behaviour §5), in display order. */
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

/** Limit for rows in the condition window, near it on either side, and of the other kind. */
export const EXPLAINED_ROWS_MAX = 200;
export const NEAR_ROWS_MAX = 20;
export const EXPLAINED_USES_MAX = 200;

/** May the player draw in this round, and if not, why? */
export const standing = z.object({
  rounds_id: z.int(),
  rounds_name: plain(),
  tag: plain(),
  start_time: plain(),
  end_time: plain(),
  achieve_start_time: plain(),
  achieve_end_time: plain(),
  /** What the rule counts; null for neither deposits nor bets. */
  source: z.nullable(z.enum(EVENT_KINDS)),
  condition_name: z.enum(["0", "1", "2", "3"]),
  /** True: all rows together; false: each row by itself. */
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
  /** With the gate `excluded`: the longest exclusion in force; `until` null: without end. */
  exclusion: z.nullable(z.object({ kind: z.enum(EXCLUSION_KINDS), until: z.nullable(plain()) })),
  reason: z.enum(CHANCE_REASONS),
  /** The rows that the reason is about: their number, and their sum, the largest or the nearest amount. */
  count: z.int(),
  amount: z.nullable(playerAmount()),
  /** With `outside_window`: time of the nearest row, and its side of the window. */
  at: z.nullable(plain()),
  side: z.nullable(z.enum(["before_window", "after_window"])),
  /** What earns the next draw: the missing sum, or the size of one row; null: no amount does. */
  missing: z.nullable(playerAmount()),
});
export type Standing = z.output<typeof standing>;

const row = z.object({
  no: plain(),
  amount: playerAmount(),
  created_at: plain(),
  ...arrivalShape,
  /** Deposits only. */
  channel: z.nullable(z.int()),
  /** Bets only. */
  platform: z.nullable(z.int()),
  /** Reason of the reversal or void, and when it reached us. */
  cancelled_at: z.nullable(plain()),
  cancel_reason: z.nullable(words()),
});

export const explainedRow = z.extend(row, {
  verdict: z.enum(VERDICTS),
  /** With a cumulative rule: the sum up to and including this row. */
  sum: z.nullable(playerAmount()),
  /** The highest multiple of the condition value that the sum reaches with this row. */
  crossed: z.nullable(playerAmount()),
  /** Draws that this row gives. */
  draws: z.int(),
});
export type ExplainedRow = z.output<typeof explainedRow>;

/** An extra time as the round sees it: only `unused` and `used_here` are among its draws. */
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
  /** The round in which it was used. */
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
  /** Null when the draw was earned. */
  extra_time_id: z.nullable(z.int()),
});

/** Rows cut off the list, all older than the listed ones: `amount` and `draws` of those that count. */
const unlisted = z.object({ count: z.int(), amount: playerAmount(), draws: z.int() });

/** Rows in the window of the kind that the rule does not count. */
const otherKind = z.object({
  kind: z.enum(EVENT_KINDS),
  count: z.int(),
  /** Like `count`, without reversed and voided rows. */
  amount: playerAmount(),
  /** Newest first. */
  rows: z.array(row),
});

export const explanation = z.extend(standing, {
  rule_text: plain(),
  /** `total` = earned + extra_unused + extra_used_here, or what a limit leaves of it. */
  earned: z.int(),
  extra_unused: z.int(),
  extra_used_here: z.int(),
  /** Of all rows in the window that are neither reversed nor void. */
  sum: playerAmount(),
  /** Newest first: rows in the window, and those next to it. */
  rows: z.array(explainedRow),
  more: unlisted,
  others: z.array(otherKind),
  /** Newest first. */
  extras: z.array(explainedExtra),
  extras_more: z.int(),
  /** Newest first. */
  draws: z.array(explainedDraw),
  draws_more: z.int(),
});
export type Explanation = z.output<typeof explanation>;

/** What is known for an answer about a past time. */
const knownThen = z.object({
  as_of: plain(),
  /** Facts without a record: arrivals (such rows count from their own time on), or whether a gate blocked then. */
  unknown: z.array(z.enum(["arrival", "blocked", "sold_out"])),
});
export type KnownThen = z.output<typeof knownThen>;

export const supportExplanation = z.extend(explanation, {
  /** Absent when the answer is about now. */
  known: z.optional(knownThen),
});
export type SupportExplanation = z.output<typeof supportExplanation>;
