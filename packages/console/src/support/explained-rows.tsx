/**
 * Lists the deposits or bets around the condition window. For each row, shows whether it counts, why, and how many
 * draws it gives.
 */
import { useTranslation } from "react-i18next";
import type { ExplainedRow, Explanation } from "@red/contract/chances/explanation";
import type { EventKind } from "@red/contract/events/event";
import { Amount } from "#events/event-columns.tsx";
import { useCodeLabels } from "#lib/lookups.ts";
import { Moment } from "#ui/cells.tsx";
import { column, moneyColumn } from "#ui/columns.tsx";
import { DataTable } from "#ui/data-table.tsx";
import type { Column } from "#ui/list-table.ts";
import { NOTHING, grouped } from "#ui/format.ts";
import { wholeList } from "#ui/list-state.ts";
import { Verdict } from "./verdict.tsx";

type OtherKind = Explanation["others"][number];
type OtherRow = OtherKind["rows"][number];

function useVerdict(value: string, source: EventKind): (row: ExplainedRow) => string {
  const { t } = useTranslation("player_view");
  return ({ verdict, cancelled_at, cancel_reason }) => {
    if (verdict === "cancelled") {
      const gone = { time: cancelled_at ?? "", gone: t(`gone_${source}`) };
      return cancel_reason === null
        ? t("verdict_cancelled", gone)
        : t("verdict_cancelled_why", { ...gone, reason: cancel_reason });
    }
    return verdict === "too_small" ? t("verdict_too_small", { value }) : t(`verdict_${verdict}`);
  };
}

function Gives({ row: { draws, crossed } }: { row: ExplainedRow }) {
  const { t } = useTranslation("player_view");
  if (draws === 0) {
    return <span className="k-note k-num">{t("gives_nothing")}</span>;
  }
  return (
    <div className="k-two-lines">
      <b className="k-num">{t("gives", { draws: grouped(draws) })}</b>
      {crossed !== null && (
        <span className="k-note">{t("crossed", { crossed: grouped(crossed) })}</span>
      )}
    </div>
  );
}

/** Shows the number and the channel or platform, so that the operator can tell rows apart. */
function Origin({ row }: { row: Pick<OtherRow, "no" | "channel" | "platform"> }) {
  const labels = useCodeLabels();
  const { no, channel, platform } = row;
  const place = platform === null ? NOTHING : labels.platform(platform);
  const from = channel === null ? place : labels.channel(channel);
  return <span className="k-note p-origin">{`${from} · ${no}`}</span>;
}

/** Says that a row arrived late. The row could not count before its arrival. */
function Arrival({ row, source }: { row: ExplainedRow; source: EventKind }) {
  const { t } = useTranslation("player_view");
  const { created_at, received_at, is_late } = row;
  if (!is_late || received_at === null) {
    return null;
  }
  const isSameDay = received_at.slice(0, 10) === created_at.slice(0, 10);
  const arrived = received_at.slice(isSameDay ? 11 : 0, 16);
  return (
    <span className="k-note">
      {t(`arrived_${source}`, { time: created_at.slice(11, 16), arrived })}
    </span>
  );
}

function useColumns(explanation: Explanation): readonly Column<ExplainedRow>[] {
  const { t } = useTranslation(["player_view", "ui"]);
  const verdict = useVerdict(grouped(explanation.condition_value), explanation.source ?? "deposit");
  return [
    column("created_at", t("ui:time"), { width: 176, rowHeader: true }, (row) => (
      <div className="k-two-lines">
        <Moment value={row.created_at} />
        <Origin row={row} />
        <Arrival row={row} source={explanation.source ?? "deposit"} />
      </div>
    )),
    column(
      "amount",
      t("row_amount"),
      { width: 104, align: "right" },
      ({ amount, verdict: why }) => <Amount value={amount} counts={why === "counted"} />,
    ),
    column("verdict", t("row_verdict"), 188, (row) => (
      <Verdict good={row.verdict === "counted"}>{verdict(row)}</Verdict>
    )),
    ...(explanation.cumulative ? [moneyColumn("sum", t("row_sum"), 104)] : []),
    column("draws", t("row_draws"), 88, (row) => <Gives row={row} />),
  ];
}

function Other({ other }: { other: OtherKind }) {
  const { t } = useTranslation("player_view");
  const { count, amount, rows } = other;
  const kind = t(`kind_${other.kind}`);
  if (rows.length === 0) {
    return null;
  }
  return (
    <div className="p-other">
      <p>{t("other", { kind, rows: grouped(count), amount: grouped(amount) })}</p>
      <details>
        <summary>{t("other_show", { count: rows.length })}</summary>
        <ul>
          {rows.map((row) => (
            <li key={`${row.no} ${row.created_at}`}>
              <Moment value={row.created_at} />{" "}
              <Amount value={row.amount} counts={row.cancelled_at === null} /> <Origin row={row} />
              {row.cancelled_at !== null && (
                <span className="k-note">
                  {" "}
                  {t("other_gone", { gone: t(`gone_${other.kind}`) })}
                </span>
              )}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function CountedRows({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation("player_view");
  const columns = useColumns(explanation);
  const { rows, more, source, achieve_start_time: start, achieve_end_time: end } = explanation;
  const title = t(source === "bet" ? "rows_bet" : "rows_deposit");
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p className="k-note">
        {explanation.cumulative
          ? t("window_sum", { start, end, sum: grouped(explanation.sum) })
          : t("window", { start, end })}
      </p>
      <DataTable
        label={title}
        columns={columns}
        list={wholeList(rows)}
        keyOf={({ no, created_at }) => `${created_at} ${no}`}
        nameOf={({ no }) => no}
        emptyAction={<p>{t("rows_none")}</p>}
      />
      {more.count > 0 && (
        <p className="k-note">
          {t("more", {
            rows: grouped(more.count),
            amount: grouped(more.amount),
            draws: grouped(more.draws),
          })}
        </p>
      )}
    </section>
  );
}

export function ExplainedRows({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation("player_view");
  return (
    <>
      {explanation.source === null ? (
        <p>{t("other_open")}</p>
      ) : (
        <CountedRows explanation={explanation} />
      )}
      {explanation.others.map((other) => (
        <Other key={other.kind} other={other} />
      ))}
    </>
  );
}
