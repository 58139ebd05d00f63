/** Why a player has as many draws in a round as there are, row by row (behaviour §4, §5). */
import * as z from "zod/mini";

/**
 * Whether a deposit or bet counts, and if not, because of what: its time lies outside the condition
 * window; it was reversed or voided; it does not reach the value by itself, which a single rule
 * wants; or the rule counts once only and had been reached before.
 */
export const VERDICTS = [
  "counted",
  "before_window",
  "after_window",
  "cancelled",
  "too_small",
  "already_reached",
] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * What there is to say of a player's draws in a round. `left`: some remain. `all_used`: as many drawn
 * as granted. `taken_back`: more drawn than is granted now. Without any granted: `no_extra` on a
 * whitelist; else why nothing was earned, told by what came closest: the sum or the largest row is
 * below the value, all rows in the window are reversed or void, the nearest row misses the window,
 * there are rows of the other kind only, or none at all.
 */
export const CHANCE_REASONS = [
  "left",
  "all_used",
  "taken_back",
  "no_extra",
  "sum_below",
  "largest_below",
  "all_cancelled",
  "outside_window",
  "other_kind",
  "no_rows",
] as const;
export type ChanceReason = (typeof CHANCE_REASONS)[number];

/** What keeps a player from drawing whatever draws are left (behaviour §5), in the order of telling. */
export const DRAW_GATES = [
  "blocked",
  "draws_stopped",
  "pool_stopped",
  "paused",
  "not_started",
  "ended",
  "sold_out",
] as const;
export type DrawGate = (typeof DRAW_GATES)[number];

/** Rows listed in the condition window, near it on either side, and of the other kind. */
export const EXPLAINED_ROWS_MAX = 200;
export const NEAR_ROWS_MAX = 20;
/** Draws and extra times listed. */
export const EXPLAINED_USES_MAX = 200;

export const EVENT_KINDS = ["deposit", "bet"] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** A player's place in a round: may the player draw, and if not, why. */
export const standing = z.object({
  rounds_id: z.int(),
  rounds_name: z.string(),
  tag: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  achieve_start_time: z.string(),
  achieve_end_time: z.string(),
  /** What the rule counts; null: neither deposits nor bets. */
  source: z.nullable(z.enum(EVENT_KINDS)),
  condition_name: z.enum(["0", "1", "2", "3"]),
  /** All rows together; false: each row for itself. */
  cumulative: z.boolean(),
  repeatable: z.boolean(),
  condition_value: z.string(),
  condition_times: z.int(),
  total: z.int(),
  already: z.int(),
  remain: z.int(),
  /** Empty: nothing but the draws that are left decides. */
  gates: z.array(z.enum(DRAW_GATES)),
  reason: z.enum(CHANCE_REASONS),
  /** The rows that the reason speaks of, and their sum, the largest or the nearest one. */
  count: z.int(),
  amount: z.nullable(z.string()),
  /** With `outside_window`: when the nearest row was, and on which side of the window. */
  at: z.nullable(z.string()),
  side: z.nullable(z.enum(["before_window", "after_window"])),
  /** What earns the next draw: the further sum, or the size of one row; null when no amount can. */
  missing: z.nullable(z.string()),
});
export type Standing = z.output<typeof standing>;

const row = z.object({
  no: z.string(),
  amount: z.string(),
  created_at: z.string(),
  /** Of a deposit. */
  channel: z.nullable(z.int()),
  /** Of a bet. */
  platform: z.nullable(z.int()),
  /** When it was reversed or voided, and why. */
  cancelled_at: z.nullable(z.string()),
  cancel_reason: z.nullable(z.string()),
});

export const explainedRow = z.extend(row, {
  verdict: z.enum(VERDICTS),
  /** With a cumulative rule: the sum up to and with this row. */
  sum: z.nullable(z.string()),
  /** The highest multiple of the condition value that the sum has crossed with this row. */
  crossed: z.nullable(z.string()),
  /** Draws that this row gives. */
  draws: z.int(),
});
export type ExplainedRow = z.output<typeof explainedRow>;

/** An extra time of the player, seen from the round: only unused and used_here are among its draws. */
export const EXTRA_USES = [
  "unused",
  "used_here",
  "used_elsewhere",
  "expired",
  "other_group",
] as const;

export const explainedExtra = z.object({
  id: z.int(),
  tag: z.string(),
  expire_time: z.string(),
  use: z.enum(EXTRA_USES),
  /** The round in which it was used. */
  rounds_id: z.nullable(z.int()),
  rounds_name: z.nullable(z.string()),
});
export type ExplainedExtra = z.output<typeof explainedExtra>;

const explainedDraw = z.object({
  log_id: z.int(),
  draw_no: z.int(),
  created_at: z.string(),
  award_name: z.string(),
  award_price: z.string(),
  /** The extra time that was used; null when the draw was earned. */
  extra_time_id: z.nullable(z.int()),
});

/** What the list leaves out, older than everything listed: `amount` and `draws` of what counts. */
const unlisted = z.object({ count: z.int(), amount: z.string(), draws: z.int() });

/** Rows in the window that the rule does not count, whatever they are. */
const otherKind = z.object({
  kind: z.enum(EVENT_KINDS),
  count: z.int(),
  /** Without what was reversed or voided, as is `count`. */
  amount: z.string(),
  /** The newest of them. */
  rows: z.array(row),
});

export const explanation = z.extend(standing, {
  rule_text: z.string(),
  /** `total` = earned + extra_unused + extra_used_here. */
  earned: z.int(),
  extra_unused: z.int(),
  extra_used_here: z.int(),
  /** Of all rows in the window that are neither reversed nor void. */
  sum: z.string(),
  /** Newest first: those in the window, and those next to it. */
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
