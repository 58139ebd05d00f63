/**
 * Compares the time when deposits or bets count with the time when players draw (behaviour §4). Every order
 * is allowed, but some orders are mistakes, because nobody can earn a draw.
 */
import { DAY_MS } from "@red/contract/platform/datetime";
import { CONDITION_NAMES } from "@red/contract/platform/codes";
import type { OverlapRound } from "./overlap.ts";

/** Times are in milliseconds; ends are full seconds. */
export type EarningRound = Pick<
  OverlapRound,
  "condition_name" | "achieve_start_ms" | "achieve_end_ms" | "start_ms" | "end_ms"
>;

export type EarningFault =
  /** Counting starts after the round has ended, so nobody can earn a draw. */
  | "never"
  /** Counting ended more than a day before the round starts. */
  | "long_before"
  /** Counting ends before the round starts, so nothing that players do during the round counts. */
  | "before";

/**
 * Returns what is wrong with the condition window; null if the window and the round overlap, or the rule
 * counts nothing.
 */
export function earningFault(round: EarningRound): EarningFault | null {
  const { condition_name, achieve_start_ms, achieve_end_ms, start_ms, end_ms } = round;
  if (condition_name !== CONDITION_NAMES.deposit && condition_name !== CONDITION_NAMES.bet) {
    return null;
  }
  if (achieve_start_ms >= end_ms) {
    return "never";
  }
  if (achieve_end_ms >= start_ms) {
    return null;
  }
  return start_ms - achieve_end_ms > DAY_MS ? "long_before" : "before";
}
