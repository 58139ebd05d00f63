import { useTranslation } from "react-i18next";
import { betRoutes } from "@red/contract/bet";
import { depositRoutes } from "@red/contract/deposit";
import { extraTimesRoutes } from "@red/contract/extra-times";
import type { ExtraTime } from "@red/contract/extra-times";
import { ApplyStatus, useTags } from "#players/extra-time-fields.tsx";
import { useBetColumns, useDepositColumns } from "#players/event-columns.tsx";
import { listQueryOf } from "#lib/query.ts";
import { Moment } from "#ui/cells.tsx";
import type { Column } from "#ui/list-table.ts";
import { NOTHING, grouped } from "#ui/format.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import { usePaging } from "./use-paging.ts";

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
  const [paging, setPaging] = usePaging();
  const list = useList(listQueryOf(depositRoutes.list, { body: { user_name, ...paging } }));
  const columns = ofOnePlayer(useDepositColumns());
  return (
    <ListPanel
      id="player_deposits"
      label={t("list_deposits")}
      list={list}
      columns={columns}
      keyOf={({ order_no, created_at }) => `${order_no} ${created_at}`}
      nameOf={({ order_no }) => order_no}
      paging={{ ...paging, total: list.total, of: t("list_deposits"), onChange: setPaging }}
      summary={
        <p className="p-total">
          {t("deposits_total", { total: grouped(list.data?.depositTotal ?? "0.00") })}
        </p>
      }
    />
  );
}

export function BetsTab({ user_name }: TabProps) {
  const { t } = useTranslation("player_view");
  const [paging, setPaging] = usePaging();
  const list = useList(listQueryOf(betRoutes.list, { body: { user_name, ...paging } }));
  const columns = ofOnePlayer(useBetColumns());
  return (
    <ListPanel
      id="player_bets"
      label={t("list_bets")}
      list={list}
      columns={columns}
      keyOf={({ bet_no, created_at }) => `${bet_no} ${created_at}`}
      nameOf={({ bet_no }) => bet_no}
      paging={{ ...paging, total: list.total, of: t("list_bets"), onChange: setPaging }}
      summary={
        <p className="p-total">
          {t("bets_total", { total: grouped(list.data?.betlogTotal ?? "0.00") })}
        </p>
      }
    />
  );
}

function useExtraColumns(): readonly Column<ExtraTime>[] {
  const { t } = useTranslation(["player_view", "extra_times"]);
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
      title: t("extra_times:apply"),
      width: 92,
      render: ({ apply }) => <ApplyStatus apply={apply} />,
    },
    {
      key: "used_in",
      title: t("used_in"),
      width: 120,
      render: ({ rounds_name }) => rounds_name ?? NOTHING,
    },
    {
      key: "expire_time",
      title: t("extra_times:expire_time"),
      width: 100,
      render: ({ expire_time }) => <Moment value={expire_time} />,
    },
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
  const [paging, setPaging] = usePaging();
  const list = useList(listQueryOf(extraTimesRoutes.list, { query: { user_name, ...paging } }));
  const columns = useExtraColumns();
  return (
    <ListPanel
      id="player_extras"
      label={t("list_extras")}
      list={list}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ id }) => `#${id}`}
      paging={{ ...paging, total: list.total, of: t("list_extras"), onChange: setPaging }}
    />
  );
}
