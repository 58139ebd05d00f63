/** Draw chances, computed from raw rows as behaviour §4 says, apart from the draw engine. */
import { cents } from "./money.ts";

export interface Row {
  readonly number: string;
  readonly player: number;
  readonly amount: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Preset {
  readonly name: string;
  /** formula,type,name as the specification writes it, or the name alone. */
  readonly code: string;
  readonly value: string;
  readonly times: number;
}

/** The ten presets of the specification, section 9. */
export const PRESETS: readonly Preset[] = [
  { name: "cumulative valid deposit per full", code: "1,2,2", value: "120", times: 1 },
  { name: "cumulative deposit reaching", code: "1,1,2", value: "500", times: 3 },
  { name: "single deposit per full", code: "3,2,2", value: "50", times: 1 },
  { name: "single deposit reaching", code: "3,1,2", value: "200", times: 5 },
  { name: "cumulative valid bet per full", code: "1,2,1", value: "120", times: 1 },
  { name: "cumulative bet reaching", code: "1,1,1", value: "150", times: 3 },
  { name: "single bet per full", code: "3,2,1", value: "50", times: 1 },
  { name: "single bet reaching", code: "3,1,1", value: "200", times: 5 },
  { name: "no limit", code: "0", value: "0", times: 2 },
  { name: "whitelist", code: "3", value: "0", times: 1 },
];

/** The condition fields of an activity made from a preset. */
export function conditionOf({ code, value, times }: Preset) {
  const [formula, type, name] = code.includes(",") ? code.split(",") : ["", "", code];
  return {
    condition_formula: formula,
    condition_type: type,
    condition_name: name,
    condition_value: value,
    condition_times: times,
  };
}

/** What the rows of one player earn; `from` ≤ at < `until`, in milliseconds. */
export function earned(
  preset: Preset,
  deposits: readonly Row[],
  bets: readonly Row[],
  from: number,
  until: number,
): number {
  const { condition_formula, condition_type, condition_name } = conditionOf(preset);
  if (condition_name === "0") {
    return preset.times;
  }
  if (condition_name === "3") {
    return 0;
  }
  const rows = (condition_name === "2" ? deposits : bets).filter(
    (row) => row.at >= from && row.at < until,
  );
  const value = cents(`${preset.value}.00`);
  const amounts = rows.map((row) => cents(row.amount));
  // Cumulative looks at one number, the sum; single at each for itself.
  const judged =
    condition_formula === "1" ? [amounts.reduce((sum, amount) => sum + amount, 0n)] : amounts;
  const times =
    condition_type === "2"
      ? judged.reduce((count, amount) => count + amount / value, 0n)
      : judged.some((amount) => amount >= value)
        ? 1n
        : 0n;
  return Number(times) * preset.times;
}
