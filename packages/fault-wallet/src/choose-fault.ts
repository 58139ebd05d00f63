/** Decides for each call whether and how the test wallet fails. */
import type { Ledger } from "./ledger.ts";
import { outcomeOfCall } from "./demo-outcomes.ts";
import { WELL } from "./modes.ts";
import type { Control, ModeName } from "./modes.ts";

/** In the demonstration a new payout has the outcome of its number; other calls get a correct answer. */
export function nextOfDemo(ledger: Ledger): FaultChoice["next"] {
  return (call, transSn, player_id = "") => {
    const isNew = call === "pay" && !ledger.credits.has(transSn) && !ledger.pending.has(transSn);
    const refusals = ledger.refusals.get(transSn) ?? 0;
    const control = isNew ? outcomeOfCall(transSn, player_id, refusals) : WELL;
    return { control, mode: control.mode };
  };
}

/** Random numbers from 0 to below 1; a seed always gives the same numbers. */
function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function createFaultChoice() {
  let control = WELL;
  let seen = 0;
  let left: number | null = null;
  let roll = diceOf(control.seed);
  const met = new Map<string, number>();

  function modeFor(call: "pay" | "query", transSn: string): ModeName {
    if (control.mode === "pay" || (control.on !== "both" && control.on !== call) || left === 0) {
      return "pay";
    }
    seen += 1;
    if (seen % control.every !== 0 || roll() >= control.odds) {
      return "pay";
    }
    const times = met.get(transSn) ?? 0;
    if (control.first !== null && times >= control.first) {
      return "pay";
    }
    met.set(transSn, times + 1);
    left = left === null ? null : left - 1;
    return control.mode;
  }

  return {
    /** The current control, the calls that it covered, the payouts with failures, and the failures left. */
    state: () => ({ ...control, seen, met: met.size, left }),
    set(next: Control) {
      control = next;
      seen = 0;
      met.clear();
      roll = diceOf(next.seed);
      left = next.times;
    },
    /** The current control, and the mode for this call. Only payouts have a `player_id`. */
    next: (call: "pay" | "query", transSn: string, _player_id?: string) => ({
      control,
      mode: modeFor(call, transSn),
    }),
  };
}

export type FaultChoice = ReturnType<typeof createFaultChoice>;
