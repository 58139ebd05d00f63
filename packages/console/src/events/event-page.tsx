/** Page with a tab for deposits and a tab for bets (spec §2). Each tab has filters, totals, export and Dialog A. */
import { Form } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Activity } from "@red/contract/rounds/activity";
import { betRoutes } from "@red/contract/events/bet";
import type { Bet } from "@red/contract/events/bet";
import { depositRoutes } from "@red/contract/events/deposit";
import type { Deposit } from "@red/contract/events/deposit";
import { eventExportRoutes } from "@red/contract/events/event-export";
import { sumAmounts } from "@red/contract/platform/money";
import { FilterPage } from "#forms/filter-page.tsx";
import { downloadFile } from "#lib/download.ts";
import { listQueryOf } from "#lib/query.ts";
import { useListSearch, usePageSearch } from "#lib/search.ts";
import { DrawInfoButton } from "#players/draw-info-button.tsx";
import { useBetColumns, useDepositColumns } from "./event-columns.tsx";
import { ExportButton } from "#ui/export-button.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { useList } from "#ui/list-state.ts";
import type { Entered, QueryFormHandle } from "#ui/query-form.tsx";
import { TabStrip } from "#ui/tab-strip.tsx";
import { clearDependents, useEventFields, useNamedActivity } from "./event-fields.ts";
import {
  BET_FILTERS,
  BET_TAB,
  DEPOSIT_FILTERS,
  DEPOSIT_TAB,
  EVENT_SEARCH,
  exportQueryOf,
  picked,
} from "./event-filter.ts";
import type { EventSearch } from "./event-filter.ts";

/** Only the list of the open tab is loaded. */
function useEventLists(tab: string, search: EventSearch, paging: { page: number; size: number }) {
  const deposits = useList({
    ...listQueryOf(depositRoutes.list, {
      body: { ...picked(search, DEPOSIT_FILTERS), ...paging },
    }),
    enabled: tab === DEPOSIT_TAB,
  });
  const bets = useList({
    ...listQueryOf(betRoutes.list, { body: { ...picked(search, BET_FILTERS), ...paging } }),
    enabled: tab === BET_TAB,
  });
  return {
    deposit: {
      list: deposits,
      columns: useDepositColumns(),
      keyOf: ({ order_no }: Deposit) => order_no,
      nameOf: ({ user_name, order_no }: Deposit) => `${user_name} ${order_no}`,
    },
    bet: {
      list: bets,
      columns: useBetColumns(),
      keyOf: ({ bet_no }: Bet) => bet_no,
      nameOf: ({ user_name, bet_no }: Bet) => `${user_name} ${bet_no}`,
    },
  };
}

/**
 * Returns the totals of the open tab, without reversed and voided rows. If the list fails, the totals are 0 (spec §8).
 */
function totalsOf({ deposit, bet }: ReturnType<typeof useEventLists>, tab: string) {
  if (tab === BET_TAB) {
    const counted = bet.list.rows.filter(({ voided }) => !voided);
    const page = sumAmounts(counted.map(({ validBetAmount }) => validBetAmount));
    return { total: bet.list.data?.betlogTotal ?? "0.00", page };
  }
  const counted = deposit.list.rows.filter(({ reversed }) => !reversed);
  const page = sumAmounts(counted.map(({ amount }) => amount));
  return { total: deposit.list.data?.depositTotal ?? "0.00", page };
}

interface EventTotalsProps extends ReturnType<typeof totalsOf> {
  label: string;
  activity: Activity | null;
}

function EventTotals({ label, total, page, activity }: EventTotalsProps) {
  const { t } = useTranslation("event");
  return (
    <div className="k-totals">
      <dl aria-label={t("totals")}>
        <Figure term={label}>{grouped(total)}</Figure>
        <Figure term={t("page_total")}>{grouped(page)}</Figure>
      </dl>
      <p>
        {activity !== null &&
          t("window_note", {
            name: activity.rounds_name,
            start: activity.achieve_start_time,
            end: activity.achieve_end_time,
          })}{" "}
        {t("totals_note")}
      </p>
    </div>
  );
}

export function EventPage() {
  const { t } = useTranslation(["event", "app"]);
  const address = useListSearch(EVENT_SEARCH);
  const { filter } = address;
  const [search, setSearch] = usePageSearch(EVENT_SEARCH);
  const tab = search.tab === BET_TAB ? BET_TAB : DEPOSIT_TAB;
  const kind = tab === BET_TAB ? "bet" : "deposit";
  const lists = useEventLists(tab, filter, address.paging);
  const [form] = Form.useForm<Entered>();
  const entry = useRef<QueryFormHandle>(null);
  const { fields, loading, chosen } = useEventFields(tab, form);
  const activity = useNamedActivity(filter);
  const openTab = (next: string) =>
    setSearch({
      tab: next === DEPOSIT_TAB ? undefined : next,
      channel: undefined,
      client: undefined,
      type: undefined,
      page: undefined,
    });
  const shared = {
    id: `event_${kind}` as const,
    title: t("app:activity_deposit_bet"),
    above: (
      <TabStrip
        label={t("tabs")}
        activeKey={tab}
        onChange={openTab}
        items={[
          { key: DEPOSIT_TAB, label: t("tab_deposit") },
          { key: BET_TAB, label: t("tab_bet") },
        ]}
      />
    ),
    address,
    fields,
    filterLabel: t(`filter_${kind}`),
    schema: (kind === "bet" ? betRoutes : depositRoutes).list.body,
    formProps: {
      form,
      ref: entry,
      onEntered: (changed: Entered) => clearDependents(form, changed),
    },
    tools: (
      <>
        <ExportButton
          disabled={loading}
          // The server rejects an export without a day or times, with the message 请选择要导出的日期.
          onExport={(format) =>
            entry.current?.withEntered((entered, isListed) =>
              downloadFile(
                eventExportRoutes.exportFile,
                { ...exportQueryOf(tab, entered, chosen), format },
                {},
                isListed ? lists[kind].list.total : 0,
              ),
            )
          }
        />
        <DrawInfoButton account={filter.user_name} />
      </>
    ),
    summary: (
      <EventTotals {...totalsOf(lists, tab)} label={t(`${kind}_total`)} activity={activity} />
    ),
    label: t(`list_${kind}`),
    filtered:
      Object.keys(picked(filter, kind === "bet" ? BET_FILTERS : DEPOSIT_FILTERS)).length > 0,
  };
  return kind === "bet" ? (
    <FilterPage {...shared} {...lists.bet} />
  ) : (
    <FilterPage {...shared} {...lists.deposit} />
  );
}
