/** Activity data query (spec §2): the records of one account in one activity, and their re-issue. */
import { useTranslation } from "react-i18next";
import { recordRoutes } from "@red/contract/record";
import type { DrawRecord } from "@red/contract/record";
import { useRecordActs } from "#dialogs/record-acts.tsx";
import { useRecordColumns } from "#dialogs/record-columns.tsx";
import { moneyOf } from "#dialogs/record-money.ts";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { listQueryOf } from "#lib/query.ts";
import { isSameSearch, pagingOf, searchOfPaging, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { ExportButton } from "#ui/export-button.tsx";
import { useList } from "#ui/list-state.ts";
import type { Values } from "#ui/query-field.tsx";
import { QueryForm } from "#ui/query-form.tsx";
import { BatchBar, QueryPage } from "#ui/query-page.tsx";
import { useSelection } from "#ui/selection.ts";
import { useToast } from "#ui/toast.tsx";
import { QUERY_TEXTS } from "./query-texts.ts";
import { NO_FILTER, askedOf, useQueryFilter } from "./use-query-filter.ts";
import type { Asked, Field } from "./use-query-filter.ts";

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

function keyOf({ log_id }: DrawRecord): number {
  return log_id;
}

/** The records asked for; before that nothing is loaded, which is no failure. */
function useRecords(asked: Asked | null, paging: { page: number; size: number }) {
  const list = useList({
    ...listQueryOf(recordRoutes.list, { query: { ...asked, ...paging } }),
    enabled: asked !== null,
  });
  return asked === null ? { ...list, rows: [], total: 0, failed: false } : list;
}

export function ActivityQueryPage() {
  const { t } = useTranslation(["query", "record"]);
  const toast = useToast();
  const mayPay = useMay("record.pay");
  const [search, setSearch] = usePageSearch<Field>();
  const paging = pagingOf(search);
  const asked = askedOf(search);
  const selection = useSelection(keyOf);
  const list = useRecords(asked, paging);
  const { form, fields, onEntered, entered } = useQueryFilter();
  const acts = useRecordActs(selection.clear);
  const columns = useRecordColumns(COLUMNS, {
    reissue: (record) => void acts.reissueOne(record),
  });
  const ask = (filters: Values) => {
    selection.clear();
    const change = { ...filters, page: undefined };
    if (!isSameSearch(search, change)) {
      setSearch(change);
    } else if (asked !== null) {
      // The same question again is a wish for fresh rows.
      list.retry();
    }
  };
  const batchButton = (
    <BusyButton
      busy={acts.busy}
      disabled={!mayPay}
      type={selection.size > 0 ? "primary" : "default"}
      onClick={() => void acts.reissueMany(selection.rows)}
    >
      {t("record:batch_reissue")}
    </BusyButton>
  );
  return (
    <QueryPage
      title={t("title")}
      form={
        <QueryForm
          id="query"
          label={t("filter")}
          fields={fields}
          values={search}
          onQuery={ask}
          onReset={() => ask(NO_FILTER)}
          busy={list.fetching && !list.pending}
          form={form}
          onEntered={onEntered}
          // Checked from the last field to the first, the first fault found is told (spec §5).
          onMissing={(texts) => toast.error(texts.at(-1) ?? "")}
        />
      }
      tools={
        <>
          <ExportButton
            label={t("record:export")}
            onExport={(format) => downloadFile(recordRoutes.exportFile, { ...entered(), format })}
          />
          {batchButton}
        </>
      }
      {...(selection.size > 0 && {
        batch: (
          <BatchBar
            text={t("record:selected", {
              count: selection.size,
              amount: moneyOf(selection.rows),
            })}
            onClear={selection.clear}
          >
            {batchButton}
          </BatchBar>
        ),
      })}
      list={{ ...list, retry: asked === null ? () => form.submit() : list.retry }}
      paging={{
        ...paging,
        total: list.total,
        onChange: (next, correcting = false) =>
          setSearch(searchOfPaging(next), { replace: correcting }),
      }}
    >
      <DataTable
        label={t("list")}
        columns={columns}
        list={list}
        keyOf={keyOf}
        nameOf={({ user_name, award_name }) => `${user_name} ${award_name}`}
        filtered={asked !== null}
        onClearFilters={() => ask(NO_FILTER)}
        emptyAction={<p>{t("not_asked")}</p>}
        selection={selection}
      />
    </QueryPage>
  );
}
