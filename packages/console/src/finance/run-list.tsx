import { useTranslation } from "react-i18next";
import { reconciliationRoutes } from "@red/contract/finance/reconciliation";
import type { Reconciliation } from "@red/contract/finance/reconciliation";
import { listQueryOf } from "#lib/query.ts";
import { Span } from "#ui/cells.tsx";
import { column, countColumn, momentColumn } from "#ui/columns.tsx";
import type { Column } from "#ui/list-table.ts";
import { grouped } from "#ui/format.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";

/** Maximum number of runs in the list. The differences of older runs are still listed. */
const SHOWN = 20;

function useRunColumns(): readonly Column<Reconciliation>[] {
  const { t } = useTranslation("reconciliation");
  return [
    column("id", t("run_id"), { width: 64, align: "right", rowHeader: true }, ({ id }) => id),
    column("span", t("run_span"), 272, ({ from, to }) => <Span start={from} end={to} />),
    column("source", t("source"), 180, ({ source, file_name }) =>
      source === "call" ? t("source_call") : t("source_file", { name: file_name ?? "" }),
    ),
    column(
      "statement",
      t("statement"),
      { width: 180, align: "right" },
      ({ statement_count, statement_amount }) => (
        <span className="k-num">
          {t("statement_entry", {
            count: statement_count,
            records: grouped(statement_count),
            amount: grouped(statement_amount),
          })}
        </span>
      ),
    ),
    countColumn("matched", t("matched"), 84),
    column("breaks", t("run_breaks"), { width: 120, align: "right" }, ({ breaks, open }) => (
      <span className="k-num">{t("run_breaks_entry", { breaks, open })}</span>
    )),
    column("made_by", t("made"), 120, ({ made_by }) => made_by),
    momentColumn("made_at", t("made_at"), 104),
  ];
}

export function RunList() {
  const { t } = useTranslation("reconciliation");
  const list = useList(listQueryOf(reconciliationRoutes.list, { query: { page: 1, size: SHOWN } }));
  return (
    <ListPanel
      id="reconciliation_run"
      tools={<h2>{t("runs")}</h2>}
      list={list}
      emptyAction={t("no_runs")}
      label={t("runs")}
      columns={useRunColumns()}
      keyOf={({ id }) => id}
      nameOf={({ id }) => String(id)}
    />
  );
}
