import { useTranslation } from "react-i18next";
import { betRoutes } from "@red/contract/events/bet";
import { depositRoutes } from "@red/contract/events/deposit";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import type { ExtraTime } from "@red/contract/players/extra-times";
import { ApplyStatus } from "#players/extra-time-fields.tsx";
import { useTags } from "#rounds/activity-query.ts";
import { useBetColumns, useDepositColumns } from "#events/event-columns.tsx";
import { listQueryOf } from "#lib/query.ts";
import { momentColumn } from "#ui/columns.tsx";
import type { Column } from "#ui/list-table.ts";
import { NOTHING, grouped } from "#ui/format.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { usePlayerList } from "./use-player-list.ts";

interface TabProps {
  user_name: string;
}

/** Adapts list columns to one player: the time names a row, not the account. */
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
    {
      key: "id",
      title: t("extra_number"),
      width: 80,
      rowHeader: true,
      render: ({ id }) => <span className="k-num">{`#${id}`}</span>,
    },
    {
      key: "tag",
      title: t("extra_times:tag"),
      width: 110,
      render: ({ tag }) => labels[tag] ?? tag,
    },
    {
      key: "apply",
      title: t("ui:state"),
      width: 120,
      render: (row) => <ApplyStatus {...row} />,
    },
    {
      key: "used_in",
      title: t("used_in"),
      width: 120,
      render: ({ rounds_name }) => rounds_name ?? NOTHING,
    },
    momentColumn("expire_time", t("fields:expire_time"), 100),
    {
      key: "granted",
      title: t("granted"),
      width: 130,
      render: ({ granted_by, created_at }) => (
        <div className="k-two-lines">
          <span>{granted_by}</span>
          <span className="k-note k-time">{created_at}</span>
        </div>
      ),
    },
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
