/** Page of the distribution records (spec §2): filters, totals, attempts, re-issue, delivery, export. */
import { Button } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PAYOUT_STATES } from "@red/contract/platform/codes";
import { recordRoutes } from "@red/contract/records/record";
import type { Data } from "@red/contract/platform/route";
import { FilterPage } from "#forms/filter-page.tsx";
import { useBusinessDay } from "#lib/clock.ts";
import { downloadFile } from "#lib/download.ts";
import { LoadFailedNote, lazyPart } from "#lib/lazy-part.tsx";
import { listQueryOf } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { DrawInfoButton } from "#players/draw-info-button.tsx";
import { useRecordBatch, useRecordSelection } from "./record-batch.tsx";
import { AwardStatusTag, useRecordColumns } from "./record-columns.tsx";
import { ExportButton } from "#ui/export-button.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { useList } from "#ui/list-state.ts";
import { plainAmount } from "#ui/plain-number.ts";
import { selectField } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import type { QueryFormHandle } from "#ui/query-form.tsx";
import { RECORD_SEARCH } from "./search.ts";

const Attempts = lazyPart(async () => (await import("./attempts.tsx")).Attempts, LoadFailedNote);

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

const ACTS = ["reissue", "ask", "deliver", "close"] as const;

const AUTO_REFRESH_MS = 10_000;

function RecordSums({ sums }: Pick<Data<typeof recordRoutes.list>, "sums">) {
  const { t } = useTranslation(["record", "lookups"]);
  if (sums.length === 0) {
    return null;
  }
  const goods = sums.reduce((sum, one) => sum + one.goods, 0);
  return (
    <div className="k-totals">
      <dl aria-label={t("sums")}>
        {sums.map(({ award_status, count: all, amount, goods: apart }) => {
          const count = all - apart;
          return (
            <Figure key={award_status} term={<AwardStatusTag status={award_status} />}>
              {t("sum_entry", { count, records: grouped(count), amount: grouped(amount) })}
            </Figure>
          );
        })}
        {goods > 0 && <Figure term={t("lookups:state_waiting_delivery")}>{grouped(goods)}</Figure>}
      </dl>
    </div>
  );
}

interface StateChipsProps {
  sums: Data<typeof recordRoutes.list>["states"];
  chosen: string | undefined;
  choose: (payout_state: string | undefined) => void;
}

/** Shows the number of records in each state, counted with the other filters. A click filters by the state. */
function StateChips({ sums, chosen, choose }: StateChipsProps) {
  const { t } = useTranslation(["record", "lookups"]);
  const isChosen = (state: string) => chosen?.split(",").includes(state) === true;
  const counted = new Map(sums.map((sum) => [sum.payout_state, sum]));
  // A chosen state stays visible even if it has no records.
  const states = PAYOUT_STATES.filter((state) => isChosen(state) || counted.has(state)).map(
    (payout_state) => counted.get(payout_state) ?? { payout_state, count: 0, amount: "0.00" },
  );
  if (states.length === 0) {
    return null;
  }
  return (
    <div className="r-states" role="group" aria-label={t("states")}>
      {states.map(({ payout_state, count, amount }) => (
        <Button
          key={payout_state}
          size="small"
          type={isChosen(payout_state) ? "primary" : "default"}
          aria-pressed={isChosen(payout_state)}
          onClick={() => choose(payout_state === chosen ? undefined : payout_state)}
        >
          <span style={payout_state === chosen ? {} : { color: `var(--${payout_state}, inherit)` }}>
            {t(`lookups:state_${payout_state}`)}
          </span>{" "}
          {grouped(count)}
          {payout_state !== "waiting_delivery" && payout_state !== "delivered" && (
            <span className="k-num">{grouped(amount)}</span>
          )}
        </Button>
      ))}
    </div>
  );
}

function useFields(): readonly QueryField[] {
  const { t } = useTranslation(["record", "fields", "lookups"]);
  const maySeeAmounts = useMay("amount.see");
  const label = t("award_price");
  const price = { kind: "text", name: "award_price", label, normalize: plainAmount } as const;
  return [
    { kind: "text", name: "user_name", label: t("user_name") },
    { kind: "text", name: "award_name", label: t("award_name") },
    ...(maySeeAmounts ? [price] : []),
    selectField("award_status", t("fields:award_status"), [0, 1, 2], (status) =>
      t(`lookups:status_${status}`),
    ),
    { kind: "digits", name: "rounds_id", label: t("fields:rounds_id") },
    { kind: "text", name: "trans_sn", label: t("trans_sn") },
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

export function RecordPage() {
  const { t } = useTranslation(["record", "app", "fields"]);
  const address = useListSearch(RECORD_SEARCH);
  const { filter, paging } = address;
  const { drawn_prize, payout_state } = filter;
  const order = filter.order === "oldest" ? "oldest" : undefined;
  const selection = useRecordSelection(filter);
  const [auto, setAuto] = useState(false);
  const list = useList({
    ...listQueryOf(recordRoutes.list, { query: { ...filter, order, ...paging } }),
    // Pause the refresh while rows are selected, because the rows must not move.
    refetchInterval: ({ state }) =>
      auto && selection.size === 0 && state.status !== "error" ? AUTO_REFRESH_MS : false,
  });
  const fields = useFields();
  const form = useRef<QueryFormHandle>(null);
  const { acts, buttons, bar } = useRecordBatch({ filter, selection, list, offered: ACTS });
  const columns = useRecordColumns(COLUMNS, acts.ofRow);
  const refetch = () => {
    selection.clear();
    list.retry();
  };
  return (
    <FilterPage
      id="record"
      title={t("app:activity_distribution")}
      address={address}
      fields={fields}
      filterLabel={t("filter")}
      schema={recordRoutes.list.query}
      refetch={refetch}
      formProps={{ ref: form }}
      tools={
        <>
          {buttons}
          <ExportButton
            // Export with the values in the form, even before the operator searches.
            onExport={(format) =>
              form.current?.withEntered(({ rounds_id = "", ...entered }, isListed) =>
                downloadFile(
                  recordRoutes.exportFile,
                  { ...entered, payout_state, drawn_prize, order, rounds_id, format },
                  {},
                  isListed ? list.total : 0,
                ),
              )
            }
          />
          <DrawInfoButton account={filter.user_name} />
        </>
      }
      batch={bar}
      autoRefresh={{ on: auto, toggle: setAuto }}
      summary={
        <>
          {list.data !== undefined && (
            <StateChips
              sums={list.data.states}
              chosen={payout_state}
              choose={(state) => address.query({ ...filter, payout_state: state }, refetch)}
            />
          )}
          {drawn_prize !== undefined && (
            <Button
              size="small"
              type="primary"
              aria-pressed="true"
              onClick={() => address.query({ ...filter, drawn_prize: undefined }, refetch)}
            >
              {t("fields:award_name")} {list.rows[0]?.award_name ?? drawn_prize}
            </Button>
          )}
          <RecordSums sums={list.data?.sums ?? []} />
        </>
      }
      list={list}
      label={t("list")}
      columns={columns}
      keyOf={({ log_id }) => log_id}
      nameOf={({ user_name, award_name }) => `${user_name} ${award_name}`}
      order={{
        key: "created_at",
        rising: order === "oldest",
        turn: () => address.query({ order: order === undefined ? "oldest" : undefined }, refetch),
      }}
      selection={selection}
      expand={(record) => <Attempts record={record} />}
    >
      {acts.dialog}
    </FilterPage>
  );
}
