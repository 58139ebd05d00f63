/**
 * The filter of the activity data query (spec §2, §5): a date offers its activities, an activity fills in its
 * condition time, and one based on bets asks for the platform.
 */
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useTranslation } from "react-i18next";
import type { Activity } from "@red/contract/activity";
import { CONDITION_NAMES, PLATFORM_CODES } from "@red/contract/lookups";
import { useActivitiesOf } from "#lib/activities.ts";
import { useBusinessDay } from "#lib/clock.ts";
import type { QueryField } from "#ui/query-field.tsx";
import type { Entered } from "#ui/query-form.tsx";
import { DATE, momentOf } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";

/** Another day clears the activity; clearing the day keeps it, so that only the day is missing. */
function fillIn(
  form: FormInstance<Entered>,
  activities: readonly Activity[],
  changed: Entered,
): void {
  if (momentOf(changed["start_date"]) !== null) {
    form.setFieldsValue({ rounds_name: undefined, date: null, type: undefined });
  } else if ("rounds_name" in changed) {
    const next = activities.find(({ rounds_name }) => rounds_name === changed["rounds_name"]);
    const date =
      next === undefined ? null : [dayjs(next.achieve_start_time), dayjs(next.achieve_end_time)];
    form.setFieldsValue({ date, type: undefined });
  }
}

export function useQueryFilter() {
  const { t } = useTranslation(["query", "lookups"]);
  const [form] = Form.useForm<Entered>();
  const today = useBusinessDay();
  const day = momentOf(Form.useWatch("start_date", form));
  const name: unknown = Form.useWatch("rounds_name", form);
  const { activities, loading } = useActivitiesOf(day?.format(DATE));
  const chosen = activities.find(({ rounds_name }) => rounds_name === name);

  const fields: readonly QueryField[] = [
    { kind: "date", name: "start_date", label: t("start_date"), required: t("need_start_date") },
    {
      kind: "select",
      name: "rounds_name",
      label: t("rounds_name"),
      required: t("need_rounds_name"),
      options: activities.map(({ rounds_name }) => ({ value: rounds_name, label: rounds_name })),
      loading,
    },
    {
      kind: "range",
      name: "date",
      label: t("date"),
      start: "achieve_start_time",
      end: "achieve_end_time",
      today,
      required: t("need_date"),
      disabled: typeof name === "string",
    },
    {
      kind: "select",
      name: "type",
      label: t("type"),
      hidden: chosen?.condition_name !== CONDITION_NAMES.bet,
      options: PLATFORM_CODES.map((code) => ({
        value: String(code),
        label: t(`lookups:platform_${code}`),
      })),
    },
    { kind: "text", name: "user_name", label: t("user_name"), required: t("need_user_name") },
  ];

  return {
    form,
    fields,
    loading,
    onEntered: (changed: Entered) => fillIn(form, activities, changed),
    /** The day's activity that the form names, searched or not. */
    chosen,
  };
}
