/** Filter fields of deposits and bets (spec §2, behaviour §11). */
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useTranslation } from "react-i18next";
import type { Activity } from "@red/contract/rounds/activity";
import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "@red/contract/platform/codes";
import { useActivitiesOf } from "#lib/activities.ts";
import { useBusinessDay } from "#lib/clock.ts";
import { useCodeLabels } from "#lib/lookups.ts";
import { selectField } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import type { Entered } from "#ui/query-form.tsx";
import { DATE, momentOf } from "#ui/typed-time.ts";
import { BET_TAB } from "./event-filter.ts";
import type { EventSearch } from "./event-filter.ts";

/** Returns the filter fields and the chosen activity. The day in the form decides which activities the form offers. */
export function useEventFields(tab: string, form: FormInstance<Entered>) {
  const { t } = useTranslation(["event", "fields"]);
  const labels = useCodeLabels();
  const day = momentOf(Form.useWatch("start_date", form));
  const name: unknown = Form.useWatch("rounds_name", form);
  const { activities, loading } = useActivitiesOf(day?.format(DATE));
  const today = useBusinessDay();
  const chosen = activities.find(({ rounds_name }) => rounds_name === name) ?? null;
  const fields: readonly QueryField[] = [
    { kind: "text", name: "user_name", label: t("fields:user_name") },
    {
      kind: "range",
      name: "created",
      label: t("time"),
      start: "start_time",
      end: "end_time",
      today,
      // The condition window of the chosen activity replaces these times.
      disabled: typeof name === "string",
    },
    { kind: "date", name: "start_date", label: t("fields:start_date") },
    {
      kind: "select",
      name: "rounds_name",
      label: t("rounds_name"),
      options: activities.map(({ rounds_name }) => ({ value: rounds_name, label: rounds_name })),
      disabled: day === null,
      loading,
    },
    ...(tab === BET_TAB
      ? [selectField("type", t("fields:type"), PLATFORM_CODES, labels.platform)]
      : [
          selectField("channel", t("fields:channel"), CHANNEL_CODES, labels.channel),
          selectField("client", t("fields:client"), CLIENT_CODES, labels.client),
        ]),
  ];
  return { fields, loading, chosen };
}

/**
 * Clears the fields that depend on a changed field: an activity depends on its day, and times depend on the activity.
 */
export function clearDependents(form: FormInstance<Entered>, changed: Entered): void {
  if ("start_date" in changed) {
    form.setFieldsValue({ rounds_name: undefined });
  } else if (typeof changed["rounds_name"] === "string") {
    form.setFieldsValue({ created: null });
  }
}

/** Returns the activity in the address. The list shows the events in its condition window. */
export function useNamedActivity({ start_date, rounds_name }: EventSearch): Activity | null {
  const { activities } = useActivitiesOf(rounds_name === undefined ? undefined : start_date);
  return activities.find((activity) => activity.rounds_name === rounds_name) ?? null;
}
