import { useTranslation } from "react-i18next";
import { reconciliationRoutes } from "@red/contract/finance/reconciliation";
import type { Reconciliation } from "@red/contract/finance/reconciliation";
import { listQueryOf } from "#lib/query.ts";
import { Span } from "#ui/cells.tsx";
import { countColumn, momentColumn } from "#ui/columns.tsx";
import type { Column } from "#ui/list-table.ts";
import { grouped } from "#ui/format.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";

/** Older ones are not listed; their differences are. */
const SHOWN = 20;

function useRunColumns(): readonly Column<Reconciliation>[] {
  const { t } = useTranslation("reconciliation");
  return [
    {
      key: "id",
      title: t("run_id"),
      width: 64,
      align: "right",
      rowHeader: true,
      render: ({ id }) => id,
    },
    {
      key: "span",
      title: t("run_span"),
      width: 272,
      render: ({ from, to }) => <Span start={from} end={to} />,
    },
    {
      key: "source",
      title: t("source"),
      width: 180,
      render: ({ source, file_name }) =>
        source === "call" ? t("source_call") : t("source_file", { name: file_name ?? "" }),
    },
    {
      key: "statement",
      title: t("statement"),
      width: 180,
      align: "right",
      render: ({ statement_count, statement_amount }) => (
        <span className="k-num">
          {t("statement_entry", {
            count: statement_count,
            records: grouped(statement_count),
            amount: grouped(statement_amount),
          })}
        </span>
      ),
    },
    countColumn("matched", t("matched"), 84),
    {
      key: "breaks",
      title: t("run_breaks"),
      width: 120,
      align: "right",
      render: ({ breaks, open }) => (
        <span className="k-num">{t("run_breaks_entry", { breaks, open })}</span>
      ),
    },
    { key: "made_by", title: t("made"), width: 120, render: ({ made_by }) => made_by },
    momentColumn("made_at", t("made_at"), 104),
  ];
}

export function RunList() {
  const { t } = useTranslation("reconciliation");
  const list = useList(listQueryOf(reconciliationRoutes.list, { query: { page: 1, size: SHOWN } }));
  const columns = useRunColumns();
  return (
    <ListPanel
      id="reconciliation_run"
      tools={<h2>{t("runs")}</h2>}
      list={list}
      emptyAction={t("no_runs")}
      label={t("runs")}
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ id }) => String(id)}
    />
  );
}
