/** Activity data query (spec §2): one account's records in one activity, and their re-issue. */
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { recordRoutes } from "@red/contract/record";
import { FilterPage } from "#forms/filter-page.tsx";
import { useRecordBatch, useRecordSelection } from "#records/record-batch.tsx";
import { useRecordColumns } from "#records/record-columns.tsx";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { listQueryOf } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { ExportButton } from "#ui/export-button.tsx";
import { useList } from "#ui/list-state.ts";
import type { QueryFormHandle } from "#ui/query-form.tsx";
import { useToast } from "#ui/toast.tsx";
import { QUERY_TEXTS } from "./query-texts.ts";
import { QUERY_SEARCH, askedOf } from "./query-search.ts";
import { useQueryFilter } from "./use-query-filter.ts";

addTexts("query", QUERY_TEXTS);

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
  const { t } = useTranslation(["query", "record"]);
  const toast = useToast();
  const address = useListSearch(QUERY_SEARCH);
  const completeFilter = askedOf(address.filter);
  const selection = useRecordSelection(completeFilter);
  const list = useList({
    ...listQueryOf(recordRoutes.list, { query: { ...completeFilter, ...address.paging } }),
    // Nothing is loaded until all fields are filled in, which is no failure.
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
  const columns = useRecordColumns(COLUMNS, {
    reissue: (record) => void acts.reissueOne(record),
  });
  const refetch = () => {
    selection.clear();
    if (completeFilter !== null) {
      list.retry();
    }
  };
  return (
    <FilterPage
      id="query"
      title={t("title")}
      address={address}
      fields={fields}
      filterLabel={t("filter")}
      schema={recordRoutes.list.query}
      refetch={refetch}
      formProps={{
        form,
        ref: entry,
        onEntered,
        // The specification checks from the last field to the first and reports the first fault found (spec §5).
        onMissing: (texts) => toast.error(texts.at(-1) ?? ""),
      }}
      tools={
        <>
          <ExportButton
            label={t("record:export")}
            disabled={loading}
            onExport={(format) =>
              entry.current?.withEntered(async (entered) => {
                // The export takes the activity's id: if the day has no such activity, its name is missing.
                if (chosen === undefined) {
                  toast.error(t("need_rounds_name"));
                  return false;
                }
                const input = { ...entered, rounds_id: chosen.id, format };
                return await downloadFile(recordRoutes.exportFile, input);
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
