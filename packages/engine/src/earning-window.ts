/**
 * When a round's deposits or bets count, beside when it is drawn (behaviour §4). Every order of the two is
 * allowed; some of them let nobody earn a draw, which nobody means.
 */
import { CONDITION_NAMES } from "@red/contract/lookups";
import type { OverlapRound } from "./overlap.ts";

const DAY_MS = 86_400_000;

/** A round as far as its two spans go; times in milliseconds, ends given to the second. */
export type EarningRound = Pick<
  OverlapRound,
  "condition_name" | "achieve_start_ms" | "achieve_end_ms" | "start_ms" | "end_ms"
>;

export type EarningFault =
  /** Counting begins when the round has ended: nobody can ever earn a draw in it. */
  | "never"
  /** Counting ended more than a day before the round starts. */
  | "long_before"
  /** Counting ends before the round starts: what players do while it runs does not count. */
  | "before";

/** What is odd about the round's condition window; null where it meets the round, or nothing is counted. */
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
