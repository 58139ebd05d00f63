/** Draw chances, computed from raw rows by behaviour §4, independently of the draw engine. */
import { cents, decimal } from "./money.ts";

export interface Row {
  readonly number: string;
  readonly player: number;
  readonly amount: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Preset {
  readonly name: string;
  /** "formula,type,name" as the specification writes it, or the name alone. */
  readonly code: string;
  readonly value: string;
  readonly times: number;
}

/** What a round may set beside its rule; nothing: no limit, and bets on all platforms. */
export interface Limits {
  readonly draws_max?: number;
  readonly day_draws_max?: number;
  readonly platforms?: readonly number[];
}

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

export const PRESET_LABELS = [
  "累计有效存款每满",
  "累计存款达到",
  "单笔存款每满",
  "单笔存款达到",
  "累计有效投注每满",
  "累计投注达到",
  "单笔投注每满",
  "单笔投注达到",
  "不限",
  "白名单",
] as const;

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

export function sourceOf(preset: Preset): "deposit" | "bet" | null {
  const { condition_name } = conditionOf(preset);
  return condition_name === "2" ? "deposit" : condition_name === "1" ? "bet" : null;
}

export function valueOf({ value }: Preset): bigint {
  return cents(`${value}.00`);
}

/** Amounts compared with the value: the sum if cumulative, else each row. */
export function judgedAmounts(preset: Preset, rows: readonly Row[]): bigint[] {
  const amounts = rows.map((row) => cents(row.amount));
  return conditionOf(preset).condition_formula === "1"
    ? [amounts.reduce((sum, amount) => sum + amount, 0n)]
    : amounts;
}

function timesMet(preset: Preset, rows: readonly Row[]): bigint {
  const value = valueOf(preset);
  const judged = judgedAmounts(preset, rows);
  return conditionOf(preset).condition_type === "2"
    ? judged.reduce((count, amount) => count + amount / value, 0n)
    : judged.some((amount) => amount >= value)
      ? 1n
      : 0n;
}

/** Draws for these rows, which all count and are of the preset's kind. */
export function earnedBy(preset: Preset, rows: readonly Row[]): number {
  switch (preset.code) {
    case "0":
      return preset.times;
    case "3":
      return 0;
    default:
      return Number(timesMet(preset, rows)) * preset.times;
  }
}

/** What the next chance needs, as the platform is answered, after `owed` draws that were taken back; null when no amount earns one. */
export function missingFor(preset: Preset, rows: readonly Row[], owed = 0) {
  const source = sourceOf(preset);
  const { condition_formula, condition_type } = conditionOf(preset);
  const before = BigInt(Math.floor(owed / preset.times));
  if (source === null || (condition_type === "1" && timesMet(preset, rows) + before > 0n)) {
    return null;
  }
  const value = valueOf(preset);
  const [sum = 0n] = condition_formula === "1" ? judgedAmounts(preset, rows) : [];
  return { source, missing: decimal(value * (before + 1n) - (sum % value)) };
}

/** Draws that the limits leave to a player, and whether one of them keeps some back, of `granted` ones. */
export function limited(
  { draws_max = Infinity, day_draws_max = Infinity }: Limits,
  granted: number,
  drawn: { readonly here: number; readonly today: number },
) {
  const left = Math.min(draws_max - drawn.here, Math.max(0, day_draws_max - drawn.today));
  const most = drawn.here + left;
  const of = most < draws_max ? "day_draws_max" : "draws_max";
  return {
    total: Math.min(granted, most),
    most,
    by: granted > Math.max(most, drawn.here) ? of : null,
  };
}
