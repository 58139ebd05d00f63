import { useTranslation } from "react-i18next";
import type { ExplainedExtra, Explanation } from "@red/contract/chances/explanation";
import { useTags } from "#rounds/activity-query.ts";
import { column, momentColumn, moneyColumn } from "#ui/columns.tsx";
import { DataTable } from "#ui/data-table.tsx";
import type { Column, ListTableProps } from "#ui/list-table.ts";
import { grouped } from "#ui/format.ts";
import { wholeList } from "#ui/list-state.ts";
import { Verdict } from "./verdict.tsx";

type Draw = Explanation["draws"][number];

function Use({ extra: { use, rounds_name, taken_back } }: { extra: ExplainedExtra }) {
  const { t } = useTranslation("player_view");
  return (
    <Verdict good={use === "unused" || use === "used_here"}>
      {use === "used_elsewhere"
        ? t("use_used_elsewhere", { name: rounds_name ?? "" })
        : use === "taken_back"
          ? t("use_taken_back", taken_back ?? { by: "", at: "", reason: "" })
          : t(`use_${use}`)}
    </Verdict>
  );
}

function useExtraColumns(): readonly Column<ExplainedExtra>[] {
  const { t } = useTranslation(["player_view", "fields"]);
  const { labels } = useTags();
  return [
    column("id", t("extras"), { width: 96, rowHeader: true }, ({ id }) => (
      <span className="k-num">{`#${id}`}</span>
    )),
    column("tag", t("extra_group"), 140, ({ tag }) => labels[tag] ?? tag),
    momentColumn("expire_time", t("fields:expire_time"), 168),
    column("use", t("extra_use"), 220, (extra) => <Use extra={extra} />),
  ];
}

function useDrawColumns(): readonly Column<Draw>[] {
  const { t } = useTranslation(["player_view", "fields", "record"]);
  return [
    column("draw_no", t("draw_no"), { width: 72, rowHeader: true }, ({ draw_no }) => (
      <span className="k-num">{grouped(draw_no)}</span>
    )),
    momentColumn("created_at", t("record:created_at"), 168),
    column("award_name", t("fields:award_name"), 180, (draw) => draw.award_name),
    moneyColumn("award_price", t("record:award_price"), 96),
    column("chance", t("chance"), 132, ({ extra_time_id: id }) =>
      id === null ? t("chance_earned") : t("chance_extra", { id }),
    ),
  ];
}

interface UsesProps<Row> extends Pick<ListTableProps<Row>, "columns" | "keyOf" | "nameOf"> {
  of: "extras" | "draws";
  rows: readonly Row[];
  /** Number of rows that are left out. */
  more: number;
}

function Uses<Row extends object>({ of, rows, more, ...table }: UsesProps<Row>) {
  const { t } = useTranslation("player_view");
  return (
    <section aria-label={t(of)}>
      <h2>{t(of)}</h2>
      {rows.length === 0 ? (
        <p className="k-note">{t(`${of}_none`)}</p>
      ) : (
        <DataTable {...table} label={t(of)} list={wholeList(rows)} />
      )}
      {more > 0 && <p className="k-note">{t(`${of}_more`, { rows: grouped(more) })}</p>}
    </section>
  );
}

export function ExplainedUses({ explanation }: { explanation: Explanation }) {
  const { extras, extras_more, draws, draws_more } = explanation;
  return (
    <>
      <Uses
        of="extras"
        rows={extras}
        more={extras_more}
        columns={useExtraColumns()}
        keyOf={({ id }) => id}
        nameOf={({ id }) => `#${id}`}
      />
      <Uses
        of="draws"
        rows={draws}
        more={draws_more}
        columns={useDrawColumns()}
        keyOf={({ log_id }) => log_id}
        nameOf={({ draw_no }) => String(draw_no)}
      />
    </>
  );
}
