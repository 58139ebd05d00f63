/**
 * The rounds that ended in a month. Shows whether the figures of each round agree, signs all rounds and exports a
 * file (behaviour §6).
 */
import { Link } from "@tanstack/react-router";
import { Alert, Button, Select } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { sumAmounts } from "@red/contract/platform/money";
import { monthRoutes } from "@red/contract/finance/month";
import type { Month, MonthRound } from "@red/contract/finance/month";
import type { SheetLine } from "@red/contract/finance/sheet";
import { useAct } from "#forms/act.ts";
import { changeBy } from "#lib/api.ts";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { Name } from "#ui/cells.tsx";
import { column, momentColumn } from "#ui/columns.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { Page } from "#ui/page.tsx";
import { MONTH_SEARCH } from "./search.ts";
import { SHEET_TEXTS } from "./sheet-texts.ts";
import { useCoverage } from "./sheet-tables.tsx";
import { isNothing } from "./sheet-verdict.ts";
import type { Figure as Sum } from "./sheet-verdict.ts";
import "./sheet.css";

addTexts("sheet", SHEET_TEXTS);

const FIGURES = ["drawn", "paid", "delivered", "open", "closed"] as const;

const figuresOf = ({ drawn, lines, open }: Month["total"] | MonthRound) => {
  return { ...lines, drawn, open };
};

function Amount({ sum, isOff = false }: { sum: Sum; isOff?: boolean }) {
  return (
    <span className={isOff ? "k-num t-verdict-off" : "k-num"}>
      {grouped(sum.amount)} <span className="t-note">{grouped(sum.count)}</span>
    </span>
  );
}

/**
 * Returns whether to mark the difference. Amounts paid after the last statement are not a difference, but an open
 * difference always counts.
 */
function isOff({ difference, covered, open_breaks }: MonthRound): boolean {
  return open_breaks > 0 || (covered && difference !== null && !isNothing(difference));
}

interface LaterProps {
  difference: Sum;
  later: Sum;
  /** A sentence that says which time the statements cover. */
  whole?: string;
}

/**
 * Shows which part of the difference was paid after the statements. No amount appears if this part is the whole
 * difference.
 */
function Later({ difference, later, whole }: LaterProps) {
  const { t } = useTranslation("sheet");
  const isAll = difference.count === later.count && difference.amount === later.amount;
  return (
    <span className="t-note" title={whole}>
      {later.count === 0 ? (
        t("month_part")
      ) : isAll ? (
        t("month_all_later")
      ) : (
        <>
          {t("month_later")} <Amount sum={later} />
        </>
      )}
    </span>
  );
}

function SignedCell({ signed, not_ready }: MonthRound) {
  const { t } = useTranslation("sheet");
  const isOld = signed?.is_current === false;
  const old = isOld ? t("signed_old") : "";
  const by = signed === null ? "" : `${signed.by} ${signed.at}`;
  const note = signed === null ? (not_ready ?? t("can_sign")) : isOld ? (not_ready ?? "") : "";
  return (
    // A row has space for two lines, so the most important part comes first.
    <div className="t-lines" title={`${old} ${by} ${note}`.trim()}>
      {isOld && <span className="t-verdict-off">{old}</span>} {by}{" "}
      <span className="t-note">{note}</span>
    </div>
  );
}

function useColumns(): readonly Column<MonthRound>[] {
  const { t } = useTranslation("sheet");
  const coverageOf = useCoverage();
  return [
    column(
      "round",
      t("month_round"),
      { width: 150, rowHeader: true, fixed: "start" },
      ({ rounds_id, rounds_name }) => (
        <Link to="/activity_manage/sheet" search={{ rounds_id: String(rounds_id) }}>
          <Name value={t("round", { name: rounds_name, id: rounds_id })} />
        </Link>
      ),
    ),
    momentColumn("end_time", t("month_end"), 104),
    ...FIGURES.map((key): Column<MonthRound> => ({
      key,
      title: t(key),
      width: 90,
      align: "right",
      render: (round) => <Amount sum={figuresOf(round)[key]} />,
    })),
    column("difference", t("wallet_difference"), { width: 136, align: "right" }, (round) =>
      round.difference === null ? (
        <Link to="/activity_manage/reconciliation">{t("unchecked")}</Link>
      ) : (
        <div className="k-two-lines">
          <Amount sum={round.difference} isOff={isOff(round)} />
          {!round.covered && (
            <Later
              difference={round.difference}
              later={round.statement.later}
              whole={coverageOf(round)}
            />
          )}
        </div>
      ),
    ),
    column("sign_offs", t("sign_offs"), 138, (round) => <SignedCell {...round} />),
  ];
}

function Total({ month: { rounds, total } }: { month: Month }) {
  const { t } = useTranslation("sheet");
  const left = rounds.filter(({ difference }) => difference === null).length;
  const sums = rounds.map(({ statement }) => statement.later);
  const later = {
    count: sums.reduce((all, { count }) => all + count, 0),
    amount: sumAmounts(sums.map(({ amount }) => amount)),
  };
  return (
    <div className="k-totals t-totals">
      <dl aria-label={t("figures")}>
        <Figure term={t("month_round")}>{grouped(rounds.length)}</Figure>
        {FIGURES.map((key) => (
          <Figure key={key} term={t(key)}>
            <Amount sum={figuresOf(total)[key]} />
          </Figure>
        ))}
        <Figure term={t("wallet_difference")}>
          <Amount sum={total.difference} isOff={rounds.some(isOff)} />{" "}
          {later.count > 0 && <Later difference={total.difference} later={later} />}{" "}
          {left > 0 && <span className="t-note">{t("month_left", { count: left })}</span>}
        </Figure>
      </dl>
    </div>
  );
}

/**
 * Signs the figures that the operator saw, even if newer figures have arrived. Reports why the server rejected some
 * sheets.
 */
function useSignAll(onRefused: (why: readonly string[]) => void) {
  const { t } = useTranslation("sheet");
  const { act } = useAct(monthRoutes.detail);
  return (rounds: readonly MonthRound[]) => {
    const count = (line: SheetLine) =>
      grouped(rounds.reduce((sum, { lines }) => sum + lines[line].count, 0));
    const sums = {
      paid: count("paid"),
      amount: grouped(sumAmounts(rounds.map(({ lines }) => lines.paid.amount))),
      refused: count("refused"),
      // A sheet that can be signed has no pending payouts except physical prizes.
      goods: count("pending"),
    };
    const content = <p>{t("month_sign_content", { count: rounds.length, ...sums })}</p>;
    const words = { title: t("sign_title"), okText: t("sign"), content };
    const sheets = rounds.map(({ rounds_id, hash }) => ({ rounds_id, hash }));
    const names = new Map(rounds.map((round) => [round.rounds_id, round.rounds_name]));
    onRefused([]);
    void act(changeBy(monthRoutes.sign, { body: { sheets } }), {
      words,
      text: ({ signed }) => t("month_signed", { count: signed }),
      done: ({ refused }) =>
        onRefused(
          refused.map(({ rounds_id, msg }) => `${names.get(rounds_id) ?? rounds_id}：${msg}`),
        ),
    });
  };
}

/** Converts the response into the form that `useList` reads. */
const asList = (month: Month) => ({ content: month.rounds, total: month.rounds.length, month });

export function MonthPage() {
  const { t } = useTranslation("sheet");
  const maySign = useMay("sheet.sign");
  const [filter, change] = usePageSearch(MONTH_SEARCH);
  const list = useList({
    ...queryOf(monthRoutes.detail, { query: filter }),
    placeholderData: (old: Month | undefined) => (old?.month === filter.month ? old : undefined),
    select: asList,
  });
  const month = list.data?.month;
  const chosen = filter.month ?? month?.month ?? "";
  // Keep the month of the first response, because after signing the server would choose another month.
  useEffect(() => {
    if (filter.month === undefined && chosen !== "") {
      change({ month: chosen }, { replace: true });
    }
  }, [filter.month, chosen, change]);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const signAll = useSignAll(setRefused);
  const columns = useColumns();
  const options = [...new Set([...(month?.with_rounds ?? []), chosen])].toSorted().toReversed();
  const ready = list.rows.filter(
    ({ not_ready, signed }) => not_ready === null && signed?.is_current !== true,
  );
  const tools = (
    <>
      <Select
        aria-label={t("month")}
        options={options.map((value) => ({ value }))}
        value={chosen}
        onChange={(value) => change({ month: value })}
      />
      <Button onClick={() => void downloadFile(monthRoutes.exportFile, { month: chosen })}>
        {t("month_export")}
      </Button>
      <Button
        type={ready.length > 0 ? "primary" : "default"}
        {...permissionProps(maySign, ready.length === 0)}
        onClick={() => signAll(ready)}
      >
        {t("sign_all", { count: ready.length })}
      </Button>
    </>
  );
  return (
    <Page title={t("month_title")} refresh={list.retry}>
      {refused.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t("month_refused", { count: refused.length })}
          description={
            <ul>
              {refused.map((one) => (
                <li key={one}>{one}</li>
              ))}
            </ul>
          }
        />
      )}
      <ListPanel
        id="month"
        label={t("month_rounds")}
        tools={tools}
        summary={month && month.rounds.length > 0 && <Total month={month} />}
        list={list}
        columns={columns}
        keyOf={({ rounds_id }) => rounds_id}
        nameOf={({ rounds_name }) => rounds_name}
        emptyAction={t("month_empty", { month: chosen })}
      />
    </Page>
  );
}
