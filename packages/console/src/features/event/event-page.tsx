/** Deposits and bets (spec §2): a tab of each, with filters, totals, export and Dialog A. */
import { Form, Tabs } from "antd";
import type { FormInstance } from "antd";
import { useTranslation } from "react-i18next";
import type { Activity } from "@red/contract/activity";
import { betRoutes } from "@red/contract/bet";
import { depositRoutes } from "@red/contract/deposit";
import { eventExportRoutes } from "@red/contract/event-export";
import { CHANNEL_CODES, CLIENT_CODES, PLATFORM_CODES } from "@red/contract/lookups";
import { DrawInfoButton } from "#dialogs/draw-info-dialog.tsx";
import { useActivitiesOf } from "#lib/activities.ts";
import { useBusinessDay } from "#lib/clock.ts";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { useCodeLabels } from "#lib/lookups.ts";
import { listQueryOf } from "#lib/query.ts";
import { isSameSearch, pagingOf, searchOfPaging, usePageSearch } from "#lib/search.ts";
import { DataTable } from "#ui/data-table.tsx";
import { ExportButton } from "#ui/export-button.tsx";
import { useList } from "#ui/list-state.ts";
import { DATE } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import { QueryForm } from "#ui/query-form.tsx";
import type { Entered } from "#ui/query-form.tsx";
import { QueryPage } from "#ui/query-page.tsx";
import { dayjs } from "#ui/wall-time.ts";
import { sumOf, useBetColumns, useDepositColumns } from "./event-columns.tsx";
import {
  BET_FILTERS,
  BET_TAB,
  DEPOSIT_FILTERS,
  DEPOSIT_TAB,
  exportQueryOf,
  picked,
} from "./event-filter.ts";
import type { EventField, EventSearch } from "./event-filter.ts";
import { EVENT_TEXTS } from "./event-texts.ts";
import { EventTotals } from "./event-totals.tsx";
import "./event.css";

addTexts("event", EVENT_TEXTS);

type Field = EventField | "tab" | "page" | "size";

const NO_FILTER: Readonly<Record<EventField, undefined>> = {
  user_name: undefined,
  start_time: undefined,
  end_time: undefined,
  start_date: undefined,
  rounds_name: undefined,
  channel: undefined,
  client: undefined,
  type: undefined,
};

function choices(codes: readonly number[], label: (code: number) => string) {
  return codes.map((code) => ({ value: String(code), label: label(code) }));
}

/** The names to choose from hang on the day that the form holds. */
function useFields(tab: string, form: FormInstance<Entered>): readonly QueryField[] {
  const { t } = useTranslation("event");
  const labels = useCodeLabels();
  const day: unknown = Form.useWatch("start_date", form);
  const name: unknown = Form.useWatch("rounds_name", form);
  const { activities } = useActivitiesOf(dayjs.isDayjs(day) ? day.format(DATE) : undefined);
  const today = useBusinessDay();
  return [
    { kind: "text", name: "user_name", label: t("user_name") },
    {
      kind: "range",
      name: "created",
      label: t("time"),
      start: "start_time",
      end: "end_time",
      today,
      // The condition window of a named activity takes its place.
      disabled: typeof name === "string",
    },
    { kind: "date", name: "start_date", label: t("start_date") },
    {
      kind: "select",
      name: "rounds_name",
      label: t("rounds_name"),
      options: activities.map(({ rounds_name }) => ({ value: rounds_name, label: rounds_name })),
      disabled: !dayjs.isDayjs(day),
    },
    ...(tab === BET_TAB
      ? [
          {
            kind: "select",
            name: "type",
            label: t("platform"),
            options: choices(PLATFORM_CODES, labels.platform),
          } as const,
        ]
      : [
          {
            kind: "select",
            name: "channel",
            label: t("channel"),
            options: choices(CHANNEL_CODES, labels.channel),
          } as const,
          {
            kind: "select",
            name: "client",
            label: t("client"),
            options: choices(CLIENT_CODES, labels.client),
          } as const,
        ]),
  ];
}

/** Another day has other activities, and an activity brings its own times. */
function emptyWhatHangs(form: FormInstance<Entered>, changed: Entered): void {
  if ("start_date" in changed) {
    form.setFieldsValue({ rounds_name: undefined });
  } else if (typeof changed["rounds_name"] === "string") {
    form.setFieldsValue({ created: null });
  }
}

/** Both lists; only that of the open tab is asked for. */
function useLists(tab: string, search: EventSearch, paging: { page: number; size: number }) {
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
  return { deposits, bets };
}

function useNamedActivity({ start_date, rounds_name }: EventSearch): Activity | null {
  const { activities } = useActivitiesOf(rounds_name === undefined ? undefined : start_date);
  return activities.find((activity) => activity.rounds_name === rounds_name) ?? null;
}

function EventTabs({ tab, onOpen }: { tab: string; onOpen: (tab: string) => void }) {
  const { t } = useTranslation("event");
  return (
    <Tabs
      aria-label={t("tabs")}
      className="e-tabs"
      activeKey={tab}
      onChange={onOpen}
      items={[
        { key: DEPOSIT_TAB, label: t("tab_deposit") },
        { key: BET_TAB, label: t("tab_bet") },
      ]}
    />
  );
}

export function EventPage() {
  const { t } = useTranslation("event");
  const [search, setSearch] = usePageSearch<Field>();
  const tab = search.tab === BET_TAB ? BET_TAB : DEPOSIT_TAB;
  const kind = tab === BET_TAB ? "bet" : "deposit";
  const paging = pagingOf(search);
  const { deposits, bets } = useLists(tab, search, paging);
  const list = tab === BET_TAB ? bets : deposits;
  const [form] = Form.useForm<Entered>();
  const fields = useFields(tab, form);
  const activity = useNamedActivity(search);
  const columns = { deposit: useDepositColumns(), bet: useBetColumns() };
  const ask = (filters: { readonly [F in EventField]?: string | undefined }) => {
    const change = { ...filters, page: undefined };
    if (isSameSearch(search, change)) {
      // The same question again is a wish for fresh rows.
      list.retry();
    } else {
      setSearch(change);
    }
  };
  const table = {
    label: t(`list_${kind}`),
    filtered:
      Object.keys(picked(search, tab === BET_TAB ? BET_FILTERS : DEPOSIT_FILTERS)).length > 0,
    onClearFilters: () => ask(NO_FILTER),
  };
  const totals =
    tab === BET_TAB
      ? {
          total: bets.data?.betlogTotal,
          rows: bets.rows.map((row) => ({ amount: row.validBetAmount, counts: !row.voided })),
        }
      : {
          total: deposits.data?.depositTotal,
          rows: deposits.rows.map((row) => ({ amount: row.amount, counts: !row.reversed })),
        };
  return (
    <QueryPage
      title={t("title")}
      form={
        <>
          <EventTabs
            tab={tab}
            onOpen={(next) =>
              setSearch({
                tab: next === DEPOSIT_TAB ? undefined : next,
                channel: undefined,
                client: undefined,
                type: undefined,
                page: undefined,
              })
            }
          />
          <QueryForm
            id={`event_${kind}`}
            label={t(`filter_${kind}`)}
            fields={fields}
            values={search}
            onQuery={ask}
            onReset={() => ask(NO_FILTER)}
            form={form}
            onEntered={(changed) => emptyWhatHangs(form, changed)}
            busy={list.fetching && !list.pending}
          />
        </>
      }
      tools={
        <>
          <ExportButton
            label={t("export")}
            // Without a day or times it is refused: 请选择要导出的日期.
            onExport={(format) =>
              downloadFile(eventExportRoutes.exportFile, {
                ...exportQueryOf(tab, search, activity),
                format,
              })
            }
          />
          <DrawInfoButton account={search.user_name} />
        </>
      }
      summary={
        <EventTotals
          label={t(`${kind}_total`)}
          // A failed list shows 0 (spec §8).
          total={totals.total ?? "0.00"}
          page={sumOf(totals.rows)}
          activity={activity}
        />
      }
      list={list}
      paging={{
        ...paging,
        total: list.total,
        onChange: (next, correcting = false) =>
          setSearch(searchOfPaging(next), { replace: correcting }),
      }}
    >
      {tab === BET_TAB ? (
        <DataTable
          {...table}
          columns={columns.bet}
          list={bets}
          keyOf={({ bet_no }) => bet_no}
          nameOf={({ user_name, bet_no }) => `${user_name} ${bet_no}`}
        />
      ) : (
        <DataTable
          {...table}
          columns={columns.deposit}
          list={deposits}
          keyOf={({ order_no }) => order_no}
          nameOf={({ user_name, order_no }) => `${user_name} ${order_no}`}
        />
      )}
    </QueryPage>
  );
}
