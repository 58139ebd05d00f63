/** The route for all look-up tables, presets and limits (spec §3, §9). */
import {
  ACTIVITY_NAMES_SIZE,
  DRAW_COUNT_MAX,
  DRAW_COUNT_MIN,
  LOOKUP_SIZE,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZES,
  TURNOVER_MAX,
  TURNOVER_MIN,
  UPLOAD_BYTES_MAX,
  UPLOAD_TYPES,
} from "@red/contract/platform/limits";
import type { lookupRoutes, Lookups } from "@red/contract/rounds/lookup";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import {
  APPLY,
  AWARD_STATUS,
  CHANNEL_CODES,
  CLIENT_CODES,
  CONDITION_FORMULAS,
  CONDITION_NAMES,
  CONDITION_TYPES,
  DEFAULT_TAG,
  PLATFORM_CODES,
  PRESETS,
  ROUND_ACTIVE,
  ROUND_PAUSED,
  SINGLE_PLATFORM_CODES,
  TASK_TYPE_CODES,
} from "@red/contract/platform/codes";
import type { Handlers } from "#platform/handlers";

function range(min: number, max: number): number[] {
  return Array.from({ length: max - min + 1 }, (_, at) => min + at);
}

function coded<C extends string | number>(codes: readonly C[], label: (code: C) => string) {
  return codes.map((code) => ({ code, label: label(code) }));
}

function presetsOf(labels: (typeof CODE_TEXTS)["en"]): Lookups["presets"] {
  return PRESETS.map(({ key, code, value, times, ...condition }) => ({
    code,
    label: labels[`preset_${key}`],
    condition_name: condition.condition_name,
    condition_formula: condition.condition_formula,
    condition_type: condition.condition_type,
    condition_value: value,
    condition_times: times,
  }));
}

export const lookupHandlers: Handlers<typeof lookupRoutes> = {
  async all({ language, services }) {
    const labels = CODE_TEXTS[language];
    const data: Lookups = {
      task_types: coded(TASK_TYPE_CODES, (code) => labels[`task_${code}`]),
      platforms: coded(PLATFORM_CODES, (code) => labels[`platform_${code}`]),
      single_platforms: coded(SINGLE_PLATFORM_CODES, (code) => labels[`single_platform_${code}`]),
      channels: coded(CHANNEL_CODES, (code) => labels[`channel_${code}`]),
      clients: coded(CLIENT_CODES, (code) => labels[`client_${code}`]),
      rounds_status: coded(
        [ROUND_PAUSED, ROUND_ACTIVE] as const,
        (code) => labels[`round_${code}`],
      ),
      award_status: coded(Object.values(AWARD_STATUS), (code) => labels[`status_${code}`]),
      apply: coded(Object.values(APPLY), (code) => labels[`apply_${code}`]),
      condition_name: coded(
        Object.values(CONDITION_NAMES),
        (code) => labels[`condition_name_${code}`],
      ),
      condition_formula: coded(
        Object.values(CONDITION_FORMULAS),
        (code) => labels[`condition_formula_${code}`],
      ),
      condition_type: coded(
        Object.values(CONDITION_TYPES),
        (code) => labels[`condition_type_${code}`],
      ),
      presets: presetsOf(labels),
      turnover: range(TURNOVER_MIN, TURNOVER_MAX),
      condition_times: range(DRAW_COUNT_MIN, DRAW_COUNT_MAX),
      page_sizes: [...PAGE_SIZES],
      page: 1,
      size: PAGE_SIZE_DEFAULT,
      lookup_size: LOOKUP_SIZE,
      activity_names_size: ACTIVITY_NAMES_SIZE,
      upload_types: [...UPLOAD_TYPES],
      upload_bytes: UPLOAD_BYTES_MAX,
      tag: DEFAULT_TAG,
      red_code: services.settings.redCodeDefault,
    };
    return { data };
  },
};
