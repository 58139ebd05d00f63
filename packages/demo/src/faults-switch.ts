/** Decides for each call whether the test wallet goes wrong, and how. */
import { WELL } from "./faults-modes.ts";
import type { Control, ModeName } from "./faults-modes.ts";

export interface FaultSwitch {
  /** What was set last, how many calls it could have met, and how many times it is left. */
  state(): Control & { readonly seen: number; readonly left: number | null };
  set(next: Control): void;
  /** The control in force, and the mode that it gives to this call. */
  next(call: "pay" | "query"): { readonly control: Control; readonly mode: ModeName };
}

export function createFaultSwitch(): FaultSwitch {
  let control = WELL;
  let seen = 0;
  let left: number | null = null;

  function modeFor(call: "pay" | "query"): ModeName {
    if (control.mode === "pay" || (control.on !== "both" && control.on !== call) || left === 0) {
      return "pay";
    }
    seen += 1;
    if (seen % control.every !== 0) {
      return "pay";
    }
    left = left === null ? null : left - 1;
    return control.mode;
  }

  return {
    state: () => ({ ...control, seen, left }),
    set(next) {
      control = next;
      seen = 0;
      left = next.times;
    },
    next: (call) => ({ control, mode: modeFor(call) }),
  };
}
