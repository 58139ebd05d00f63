/** Distribution records (spec §2): filters, sums, attempts, re-issue, delivery, export. */
import { Button, Form } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { recordRoutes } from "@red/contract/record";
import type { DrawRecord } from "@red/contract/record";
import { DrawInfoButton } from "#dialogs/draw-info-dialog.tsx";
import { useRecordActs } from "#dialogs/record-acts.tsx";
import { useRecordColumns } from "#dialogs/record-columns.tsx";
import { moneyOf } from "#dialogs/record-money.ts";
import { useBusinessDay } from "#lib/clock.ts";
import { downloadFile } from "#lib/download.ts";
import { listQueryOf } from "#lib/query.ts";
import { isSameSearch, pagingOf, searchOfPaging, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { ExportButton } from "#ui/export-button.tsx";
import { useList } from "#ui/list-state.ts";
import { enteredTexts } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import { QueryForm } from "#ui/query-form.tsx";
import type { Entered } from "#ui/query-form.tsx";
import { BatchBar, QueryPage } from "#ui/query-page.tsx";
import { useSelection } from "#ui/selection.ts";
import { Attempts } from "./attempts.tsx";
import { RecordSums } from "./record-sums.tsx";
import "./record.css";

const FILTERS = [
  "user_name",
  "award_name",
  "award_price",
  "award_status",
  "rounds_id",
  "start_time",
  "end_time",
] as const;
type Filter = (typeof FILTERS)[number];
type Field = Filter | "page" | "size" | "dialog";

const COLUMNS = [
  "user_name",
  "award_name",
  "award_price",
  "type",
  "created_at",
  "activity",
  "trans_sn",
  "turnover",
  "award_status",
  "payout",
  "actions",
] as const;

const AUTO_REFRESH_MS = 10_000;

function keyOf({ log_id }: DrawRecord): number {
  return log_id;
}

function useFields(): readonly QueryField[] {
  const { t } = useTranslation(["record", "lookups"]);
  return [
    { kind: "text", name: "user_name", label: t("user_name") },
    { kind: "text", name: "award_name", label: t("award_name") },
    { kind: "text", name: "award_price", label: t("award_price") },
    {
      kind: "select",
      name: "award_status",
      label: t("award_status"),
      options: ([0, 1, 2] as const).map((status) => ({
        value: String(status),
        label: t(`lookups:status_${status}`),
      })),
    },
    { kind: "digits", name: "rounds_id", label: t("rounds_id") },
    {
      kind: "range",
      name: "created",
      label: t("created"),
      start: "start_time",
      end: "end_time",
      today: useBusinessDay(),
    },
  ];
}

const NO_FILTER: Readonly<Record<Filter, undefined>> = {
  user_name: undefined,
  award_name: undefined,
  award_price: undefined,
  award_status: undefined,
  rounds_id: undefined,
  start_time: undefined,
  end_time: undefined,
};

interface BatchButtonsProps {
  acts: ReturnType<typeof useRecordActs>;
  rows: readonly DrawRecord[];
}

function BatchButtons({ acts, rows }: BatchButtonsProps) {
  const { t } = useTranslation("record");
  const mayPay = useMay("record.pay");
  return (
    <>
      <BusyButton
        busy={acts.busy}
        disabled={!mayPay}
        type={rows.length > 0 ? "primary" : "default"}
        onClick={() => void acts.reissueMany(rows)}
      >
        {t("batch_reissue")}
      </BusyButton>
      {rows.some(({ payout_state }) => payout_state === "check") && (
        <BusyButton busy={acts.asking} disabled={!mayPay} onClick={() => void acts.ask(rows)}>
          {t("batch_ask")}
        </BusyButton>
      )}
      <Button disabled={!mayPay} onClick={() => acts.deliver(rows)}>
        {t("batch_deliver")}
      </Button>
      <Button disabled={!mayPay} onClick={() => acts.close(rows)}>
        {t("batch_close")}
      </Button>
    </>
  );
}

export function RecordPage() {
  const { t } = useTranslation("record");
  const [search, setSearch] = usePageSearch<Field>();
  const paging = pagingOf(search);
  const { page: _page, size: _size, dialog: _dialog, ...filter } = search;
  const selection = useSelection(keyOf);
  const [auto, setAuto] = useState(false);
  const list = useList({
    ...listQueryOf(recordRoutes.list, { query: { ...filter, ...paging } }),
    // Not under the operator's hands: rows that are being ticked stay where they are.
    refetchInterval: (query) =>
      auto && selection.size === 0 && query.state.status !== "error" ? AUTO_REFRESH_MS : false,
  });
  const fields = useFields();
  const [form] = Form.useForm<Entered>();
  const acts = useRecordActs(selection.clear);
  const columns = useRecordColumns(COLUMNS, {
    reissue: (record) => void acts.reissueOne(record),
    deliver: (record) => acts.deliver([record]),
    ask: (record) => void acts.ask([record]),
    close: (record) => acts.close([record]),
  });
  const ask = (filters: { readonly [F in Filter]?: string | undefined }) => {
    selection.clear();
    const change = { ...filters, page: undefined };
    if (isSameSearch(search, change)) {
      // The same question again is a wish for fresh rows.
      list.retry();
    } else {
      setSearch(change);
    }
  };
  return (
    <QueryPage
      title={t("title")}
      form={
        <QueryForm
          id="record"
          label={t("filter")}
          fields={fields}
          values={search}
          onQuery={ask}
          onReset={() => ask(NO_FILTER)}
          busy={list.fetching && !list.pending}
          form={form}
        />
      }
      tools={
        <>
          <BatchButtons acts={acts} rows={selection.rows} />
          <ExportButton
            label={t("export")}
            // Of what the form says, asked for or not: the id is typed for this alone.
            onExport={(format) => {
              const entered = enteredTexts(fields, form.getFieldsValue());
              const { rounds_id = "" } = entered;
              return downloadFile(recordRoutes.exportFile, { ...entered, rounds_id, format });
            }}
          />
          <DrawInfoButton account={search.user_name} />
        </>
      }
      {...(selection.size > 0 && {
        batch: (
          <BatchBar
            text={t("selected", { count: selection.size, amount: moneyOf(selection.rows) })}
            onClear={selection.clear}
          >
            <BatchButtons acts={acts} rows={selection.rows} />
          </BatchBar>
        ),
      })}
      autoRefresh={{ on: auto, toggle: setAuto }}
      summary={<RecordSums sums={list.data?.sums ?? []} />}
      list={list}
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
        filtered={Object.keys(filter).length > 0}
        onClearFilters={() => ask(NO_FILTER)}
        selection={selection}
        expand={(record) => <Attempts record={record} />}
      />
      {acts.dialog}
    </QueryPage>
  );
}
