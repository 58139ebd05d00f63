/** Activity data query (spec §2): shows the records of one account in one activity, and re-issues them. */
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Activity } from "@red/contract/rounds/activity";
import { CONDITION_NAMES, PLATFORM_CODES } from "@red/contract/platform/codes";
import { recordRoutes } from "@red/contract/records/record";
import { FilterPage } from "#forms/filter-page.tsx";
import { useActivitiesOf } from "#lib/activities.ts";
import { useBusinessDay } from "#lib/clock.ts";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { listQueryOf } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { useRecordBatch, useRecordSelection } from "./record-batch.tsx";
import { useRecordColumns } from "./record-columns.tsx";
import { ExportButton } from "#ui/export-button.tsx";
import { useList } from "#ui/list-state.ts";
import { selectField } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import type { Entered, QueryFormHandle } from "#ui/query-form.tsx";
import { useToast } from "#ui/toast.tsx";
import { DATE, momentOf } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";
import { askedOf, QUERY_SEARCH } from "./search.ts";
import { QUERY_TEXTS } from "./query-texts.ts";

addTexts("query", QUERY_TEXTS);

/** A new day clears the activity. An emptied day field keeps the activity, so that only the day is missing. */
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

/**
 * The filter (spec §2, §5). The form offers the activities of the chosen date. An activity fills in its condition
 * window, and an activity based on bets also asks for the platform.
 */
function useQueryFilter() {
  const { t } = useTranslation(["query", "fields", "lookups", "record"]);
  const [form] = Form.useForm<Entered>();
  const today = useBusinessDay();
  const day = momentOf(Form.useWatch("start_date", form));
  const name: unknown = Form.useWatch("rounds_name", form);
  const { activities, loading } = useActivitiesOf(day?.format(DATE));
  const chosen = activities.find(({ rounds_name }) => rounds_name === name);

  const fields: readonly QueryField[] = [
    {
      kind: "date",
      name: "start_date",
      label: t("fields:start_date"),
      required: t("need_start_date"),
    },
    {
      kind: "select",
      name: "rounds_name",
      label: t("record:round_name"),
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
      ...selectField("type", t("type"), PLATFORM_CODES, (code) => t(`lookups:platform_${code}`)),
      hidden: chosen?.condition_name !== CONDITION_NAMES.bet,
    },
    {
      kind: "text",
      name: "user_name",
      label: t("fields:user_name"),
      required: t("need_user_name"),
    },
  ];
  const onEntered = (changed: Entered) => fillIn(form, activities, changed);
  return { form, fields, loading, onEntered, chosen };
}

const COLUMNS = [
  "user_name",
  "award_name",
  "award_price",
  "type",
  "created_at",
  "rounds_id",
  "rounds_name",
  "trans_sn",
  "turnover",
  "award_status",
  "actions",
] as const;

const ACTS = ["reissue"] as const;

export function ActivityQueryPage() {
  const { t } = useTranslation(["query", "app"]);
  const toast = useToast();
  const address = useListSearch(QUERY_SEARCH);
  const completeFilter = askedOf(address.filter);
  const selection = useRecordSelection(completeFilter);
  const list = useList({
    ...listQueryOf(recordRoutes.list, { query: { ...completeFilter, ...address.paging } }),
    // No call is made until all fields are filled in. The empty list is not an error.
    enabled: completeFilter !== null,
  });
  const { form, fields, loading, onEntered, chosen } = useQueryFilter();
  const entry = useRef<QueryFormHandle>(null);
  const { acts, buttons, bar } = useRecordBatch({
    filter: completeFilter,
    selection,
    list,
    offered: ACTS,
  });
  const columns = useRecordColumns(COLUMNS, { reissue: acts.ofRow.reissue });
  const refetch = () => {
    selection.clear();
    if (completeFilter !== null) {
      list.retry();
    }
  };
  return (
    <FilterPage
      id="query"
      title={t("app:activity_query")}
      address={address}
      fields={fields}
      filterLabel={t("filter")}
      schema={recordRoutes.list.query}
      refetch={refetch}
      formProps={{
        form,
        ref: entry,
        onEntered,
        // The last missing field is reported, because the checks run from the last field to the first (spec §5).
        onMissing: (texts) => toast.error(texts.at(-1) ?? ""),
      }}
      tools={
        <>
          <ExportButton
            disabled={loading}
            onExport={(format) =>
              entry.current?.withEntered(async (entered, isListed) => {
                // The export needs the id of the activity. If the day has no such activity, ask for its name.
                if (chosen === undefined) {
                  toast.error(t("need_rounds_name"));
                  return false;
                }
                const input = { ...entered, rounds_id: chosen.id, format };
                const rows = isListed ? list.total : 0;
                return await downloadFile(recordRoutes.exportFile, input, {}, rows);
              })
            }
          />
          {buttons}
        </>
      }
      batch={bar}
      list={{ ...list, retry: completeFilter === null ? () => form.submit() : list.retry }}
      label={t("list")}
      columns={columns}
      keyOf={({ log_id }) => log_id}
      nameOf={({ user_name, award_name }) => `${user_name} ${award_name}`}
      filtered={completeFilter !== null}
      emptyAction={<p>{t("not_asked")}</p>}
      selection={selection}
    />
  );
}
