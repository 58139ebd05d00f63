/** Decides for each call whether the test wallet goes wrong, and how. */
import { WELL } from "./modes.ts";
import type { Control, ModeName } from "./modes.ts";

export interface FaultSwitch {
  /**
   * What was set last, how many calls it could have met, about how many payouts it has gone wrong, and
   * how many times it is left.
   */
  state(): Control & {
    readonly seen: number;
    readonly met: number;
    readonly left: number | null;
  };
  set(next: Control): void;
  /** The control in force, and the mode that it gives to this call. */
  next(
    call: "pay" | "query",
    transSn: string,
  ): { readonly control: Control; readonly mode: ModeName };
}

/** Dice that fall alike for the same seed: numbers from 0 to below 1. */
function diceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export function createFaultSwitch(): FaultSwitch {
  let control = WELL;
  let seen = 0;
  let left: number | null = null;
  let roll = diceOf(control.seed);
  /** How often it has gone wrong about each payout. */
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
    state: () => ({ ...control, seen, met: met.size, left }),
    set(next) {
      control = next;
      seen = 0;
      met.clear();
      roll = diceOf(next.seed);
      left = next.times;
    },
    next: (call, transSn) => ({ control, mode: modeFor(call, transSn) }),
  };
}
