/** The tabs of the player view that contain lists: draws, payouts, extra draws, deposits, bets. */
import { useTranslation } from "react-i18next";
import { betRoutes } from "@red/contract/events/bet";
import { depositRoutes } from "@red/contract/events/deposit";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import type { ExtraTime } from "@red/contract/players/extra-times";
import { recordRoutes } from "@red/contract/records/record";
import type { DrawRecord } from "@red/contract/records/record";
import { useBetColumns, useDepositColumns } from "#events/event-columns.tsx";
import { listQueryOf } from "#lib/query.ts";
import { ApplyStatus } from "#players/extra-time-fields.tsx";
import { useTags } from "#rounds/activity-query.ts";
import { Attempts } from "#records/attempts.tsx";
import { useRecordActs } from "#records/record-acts.tsx";
import { AwardStatusTag, useRecordColumns } from "#records/record-columns.tsx";
import { walletReasonWhole } from "#records/wallet-reason.ts";
import { column, momentColumn, moneyColumn } from "#ui/columns.tsx";
import { NOTHING, grouped } from "#ui/format.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import type { Column } from "#ui/list-table.ts";
import { usePlayerList } from "./use-player-list.ts";

interface TabProps {
  user_name: string;
}

function useRecords(user_name: string, label: string) {
  const list = usePlayerList(label, (paging) =>
    listQueryOf(recordRoutes.list, { query: { user_name, ...paging } }),
  );
  return {
    ...list,
    keyOf: ({ log_id }: DrawRecord) => log_id,
    nameOf: ({ award_name, created_at }: DrawRecord) => `${award_name} ${created_at}`,
  };
}

function Chance({ record: { draw_no, extra_time_id: id } }: { record: DrawRecord }) {
  const { t } = useTranslation("player_view");
  return (
    <div className="k-two-lines">
      <span>{id === null ? t("chance_earned") : t("chance_extra", { id })}</span>
      <span className="k-note">{t("nth_draw", { draw_no })}</span>
    </div>
  );
}

export function DrawsTab({ user_name }: TabProps) {
  const { t } = useTranslation(["player_view", "fields", "record"]);
  const tab = useRecords(user_name, t("list_draws"));
  const columns: readonly Column<DrawRecord>[] = [
    { ...momentColumn("created_at", t("record:created_at"), 92), rowHeader: true },
    column("activity", t("record:activity"), 150, ({ rounds_name, rounds_id }) => (
      <div className="k-two-lines">
        <span>{rounds_name}</span>
        <span className="k-note k-num">{`ID ${rounds_id}`}</span>
      </div>
    )),
    column("prize", t("fields:award_name"), 150, (one) => one.award_name),
    moneyColumn("award_price", t("record:award_price"), 92),
    column("chance", t("chance"), 116, (one) => <Chance record={one} />),
    column("award_status", t("fields:award_status"), 80, ({ award_status }) => (
      <AwardStatusTag status={award_status} />
    )),
  ];
  return <ListPanel {...tab} id="player_draws" columns={columns} />;
}

function usePayoutWords(): (record: DrawRecord) => string {
  const { t } = useTranslation("player_view");
  const { t: tJob } = useTranslation("job");
  const why = (reason: string | null) => walletReasonWhole(reason ?? "", tJob);
  return ({ payout_state, held, unknown_since, fail_reason, note, paid_at }) => {
    if (held) {
      return t("words_held");
    }
    switch (payout_state) {
      case "queued":
      case "sending":
      case "waiting_delivery":
        return t(`words_${payout_state}`);
      case "unknown":
      case "check":
        return t(`words_${payout_state}`, { since: unknown_since ?? "" });
      case "paid":
        return t("words_paid", { time: paid_at ?? "" });
      case "delivered":
        return note === null
          ? t("words_delivered", { time: paid_at ?? "" })
          : t("words_delivered_note", { time: paid_at ?? "", note });
      case "refused":
        return t("words_refused", { reason: why(fail_reason) });
      case "closed":
        return t("words_closed", { reason: note ?? why(fail_reason) });
    }
  };
}

export function PayoutsTab({ user_name }: TabProps) {
  const { t } = useTranslation(["player_view", "fields", "record"]);
  const tab = useRecords(user_name, t("list_payouts"));
  const words = usePayoutWords();
  const acts = useRecordActs(() => undefined, "player_record_act");
  const actions = useRecordColumns(["actions"], acts.ofRow);
  const columns: readonly Column<DrawRecord>[] = [
    { ...momentColumn("created_at", t("record:created_at"), 92), rowHeader: true },
    column("prize", t("fields:award_name"), 130, ({ award_name, rounds_name }) => (
      <div className="k-two-lines">
        <span>{award_name}</span>
        <span className="k-note">{rounds_name}</span>
      </div>
    )),
    moneyColumn("award_price", t("record:award_price"), 88),
    column("words", t("record:payout"), 210, (record) => (
      <div className="k-two-lines">
        <AwardStatusTag status={record.award_status} />
        <span className="p-words">{words(record)}</span>
      </div>
    )),
    ...actions,
  ];
  return (
    <>
      <ListPanel
        {...tab}
        id="player_payouts"
        columns={columns}
        expand={(record) => <Attempts record={record} />}
      />
      {acts.dialog}
    </>
  );
}

/** Returns columns for the list of one player: without the account, and with the time as row header. */
function ofOnePlayer<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return columns
    .filter(({ key }) => key !== "user_name")
    .map((column) => (column.key === "created_at" ? { ...column, rowHeader: true } : column));
}

export function DepositsTab({ user_name }: TabProps) {
  const { t } = useTranslation("player_view");
  const tab = usePlayerList(t("list_deposits"), (paging) =>
    listQueryOf(depositRoutes.list, { body: { user_name, ...paging } }),
  );
  return (
    <ListPanel
      {...tab}
      id="player_deposits"
      columns={ofOnePlayer(useDepositColumns())}
      keyOf={({ order_no, created_at }) => `${order_no} ${created_at}`}
      nameOf={({ order_no }) => order_no}
      summary={
        <p className="p-total">
          {t("deposits_total", { total: grouped(tab.list.data?.depositTotal ?? "0.00") })}
        </p>
      }
    />
  );
}

export function BetsTab({ user_name }: TabProps) {
  const { t } = useTranslation("player_view");
  const tab = usePlayerList(t("list_bets"), (paging) =>
    listQueryOf(betRoutes.list, { body: { user_name, ...paging } }),
  );
  return (
    <ListPanel
      {...tab}
      id="player_bets"
      columns={ofOnePlayer(useBetColumns())}
      keyOf={({ bet_no, created_at }) => `${bet_no} ${created_at}`}
      nameOf={({ bet_no }) => bet_no}
      summary={
        <p className="p-total">
          {t("bets_total", { total: grouped(tab.list.data?.betlogTotal ?? "0.00") })}
        </p>
      }
    />
  );
}

function useExtraColumns(): readonly Column<ExtraTime>[] {
  const { t } = useTranslation(["player_view", "extra_times", "fields", "ui"]);
  const { labels } = useTags();
  return [
    column("id", t("extra_number"), { width: 80, rowHeader: true }, ({ id }) => (
      <span className="k-num">{`#${id}`}</span>
    )),
    column("tag", t("extra_times:tag"), 110, ({ tag }) => labels[tag] ?? tag),
    column("apply", t("ui:state"), 120, (row) => <ApplyStatus {...row} />),
    column("used_in", t("used_in"), 120, ({ rounds_name }) => rounds_name ?? NOTHING),
    momentColumn("expire_time", t("fields:expire_time"), 100),
    column("granted", t("granted"), 130, ({ granted_by, created_at }) => (
      <div className="k-two-lines">
        <span>{granted_by}</span>
        <span className="k-note k-time">{created_at}</span>
      </div>
    )),
  ];
}

export function ExtrasTab({ user_name }: TabProps) {
  const { t } = useTranslation("player_view");
  const tab = usePlayerList(t("list_extras"), (paging) =>
    listQueryOf(extraTimesRoutes.list, { query: { user_name, with_taken_back: 1, ...paging } }),
  );
  return (
    <ListPanel
      {...tab}
      id="player_extras"
      columns={useExtraColumns()}
      keyOf={({ id }) => id}
      nameOf={({ id }) => `#${id}`}
    />
  );
}
