import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/activity";
import { CONDITION_FORMULAS, CONDITION_NAMES, CONDITION_TYPES } from "@red/contract/lookups";
import type { FormWords } from "#forms/merged-notice.tsx";
import { queryOf } from "#lib/query.ts";

export function useActivityWords(): FormWords {
  const { t } = useTranslation("activity");
  const tags = useQuery(queryOf(activityRoutes.tags, {}));
  return {
    labels: {
      rounds_name: t("rounds_name"),
      tag: t("tag"),
      red_code: t("red_code"),
      pool_name: t("pool_name"),
      condition_name: t("condition_name"),
      condition_formula: t("condition_formula"),
      condition_value: t("condition_value"),
      condition_times: t("condition_times"),
      condition_type: t("condition_type"),
      turnover: t("turnover"),
      draws_max: t("draws_max"),
      day_draws_max: t("day_draws_max"),
      platforms: t("platforms"),
      achieve_start_time: t("achieve_start_time"),
      achieve_end_time: t("achieve_end_time"),
      start_time: t("activity_start_time"),
      end_time: t("activity_end_time"),
    },
    choices: {
      tag: tags.data?.tags ?? {},
      condition_name: {
        [CONDITION_NAMES.deposit]: t("source_deposit"),
        [CONDITION_NAMES.bet]: t("source_bet"),
        [CONDITION_NAMES.no_limit]: t("source_no_limit"),
        [CONDITION_NAMES.whitelist]: t("source_whitelist"),
      },
      condition_formula: {
        [CONDITION_FORMULAS.cumulative]: t("formula_cumulative"),
        [CONDITION_FORMULAS.single]: t("formula_single"),
      },
      condition_type: {
        [CONDITION_TYPES.repeatable]: t("type_repeatable"),
        [CONDITION_TYPES.once]: t("type_once"),
      },
    },
  };
}
