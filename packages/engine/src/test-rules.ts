/** Rules of each kind, and rounds by preset, for tests. */
import { PRESETS } from "@red/contract/platform/codes";
import type { PresetKey } from "@red/contract/platform/codes";
import { parseCents } from "@red/contract/platform/money";
import type { RoundRule } from "./chances.ts";
import type { RuleTextRound } from "./rule-text.ts";

const CODES = {
  cumulative_full: { condition_formula: "1", condition_type: "2" },
  cumulative_reach: { condition_formula: "1", condition_type: "1" },
  single_full: { condition_formula: "3", condition_type: "2" },
  single_reach: { condition_formula: "3", condition_type: "1" },
} as const;
export type Kind = keyof typeof CODES;
// Object.keys widens the keys to string.
export const KINDS = Object.keys(CODES) as Kind[];

/** Makes a rule over bets ("1") or deposits ("2"). */
export function ruleOf(
  kind: Kind,
  condition_value_cents: number,
  condition_times = 1,
  condition_name: "1" | "2" = "2",
): RoundRule {
  return { condition_name, ...CODES[kind], condition_value_cents, condition_times };
}

/** Makes a rule without limit ("0") or a whitelist rule ("3"). */
export function openRule(condition_name: "0" | "3", condition_times: number): RoundRule {
  const open = { condition_formula: "0", condition_type: "0", condition_value_cents: 0 } as const;
  return { condition_name, ...open, condition_times };
}

export function presetRound(key: PresetKey): RuleTextRound {
  const preset = PRESETS.find((each) => each.key === key);
  if (preset === undefined) {
    throw new Error(`no preset ${key}`);
  }
  const { condition_name, condition_formula, condition_type, value, times } = preset;
  return {
    condition_name,
    condition_formula,
    condition_type,
    condition_value_cents: parseCents(value) ?? Number.NaN,
    condition_times: times,
    achieve_start_time: "2026-11-20 00:00:00",
    achieve_end_time: "2026-11-20 23:59:59",
    start_time: "2026-11-21 20:00:00",
    end_time: "2026-11-21 22:00:00",
    turnover: 3,
    draws_max: null,
    day_draws_max: null,
    platforms: null,
  };
}
