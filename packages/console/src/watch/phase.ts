import { ROUND_ACTIVE } from "@red/contract/platform/codes";
import type { Overview } from "@red/contract/watch/watch";

type Round = Pick<Overview["rounds"][0], "phase" | "rounds_status" | "pool_gate">;

/** Where a round is in its life and, until it ends, the first that keeps its draws or payouts back; keys of texts. */
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

/** It would run, but nobody can draw: all draws or its pool are stopped, or its prizes have run out. */
export function isHeld(round: Round, stopped: Overview["stopped"]): boolean {
  const now = phaseOf(round, stopped);
  return (
    round.phase === "running" &&
    (now === "draws_stopped" || now === "pool_stopped" || now === "sold_out")
  );
}
