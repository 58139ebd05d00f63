import { ROUND_ACTIVE } from "@red/contract/platform/codes";
import type { Overview } from "@red/contract/watch/watch";

type Round = Pick<Overview["rounds"][0], "phase" | "rounds_status" | "pool_gate">;

/**
 * Returns the phase of a round as a text key. If something stops the draws or payouts before the end of the round,
 * returns the first such reason instead.
 */
export function phaseOf({ phase, rounds_status, pool_gate }: Round, stopped: Overview["stopped"]) {
  if (phase === "ended") {
    return phase;
  }
  if (rounds_status !== ROUND_ACTIVE) {
    return "paused";
  }
  if (stopped.includes("draws")) {
    return "draws_stopped";
  }
  if (pool_gate !== null) {
    return pool_gate;
  }
  return phase === "running" && stopped.includes("payouts") ? "payouts_stopped" : phase;
}

export type RoundPhase = ReturnType<typeof phaseOf>;

/**
 * Returns whether a round should be running but nobody can draw. Reasons are stopped draws, a stopped pool or
 * sold-out prizes.
 */
export function isHeld(round: Round, stopped: Overview["stopped"]): boolean {
  const now = phaseOf(round, stopped);
  return round.phase === "running" && ["draws_stopped", "pool_stopped", "sold_out"].includes(now);
}
