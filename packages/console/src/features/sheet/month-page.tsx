/** The rounds that ended in a month: whether they tie out, signed together, one file (behaviour §6). */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Alert, Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SUCCESS } from "@red/contract/envelope";
import { monthRoutes } from "@red/contract/month";
import type { Month, MonthRound } from "@red/contract/month";
import { CodeDialog } from "#forms/code-dialog.tsx";
import { exchange } from "#lib/api.ts";
import { useBusinessDay } from "#lib/clock.ts";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { useListSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { Moment } from "#ui/cells.tsx";
import { grouped, NOTHING } from "#ui/format.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { Page } from "#ui/page.tsx";
import { QueryForm } from "#ui/query-form.tsx";
import { TableHead } from "#ui/table-head.tsx";
import { useToast } from "#ui/toast.tsx";
import { dayjs } from "#ui/wall-time.ts";
import { MONTH_SEARCH } from "./sheet-search.ts";
import { SHEET_TEXTS } from "./sheet-texts.ts";
import { isNothing } from "./sheet-verdict.ts";
import type { Figure } from "./sheet-verdict.ts";
import "./sheet.css";

addTexts("sheet", SHEET_TEXTS);

const MONTH = "YYYY-MM";
/** Months to choose from, this one first. */
const MONTHS = 24;

const FIGURES = ["drawn", "paid", "delivered", "open", "refused", "closed"] as const;

type Sums = Month["total"];

/** Pending or unknown. */
function openOf({ pending, unknown }: Sums["lines"]): readonly Figure[] {
  return [pending, unknown].filter((figure) => !isNothing(figure));
}

function Amounts({ figures }: { figures: readonly Figure[] }) {
  return figures.map(({ count, amount }, at) => (
    // In a fixed order.
    <div key={at}>
      {grouped(amount)} <span className="t-note">{grouped(count)}</span>
    </div>
  ));
}

function SumCells({ sums }: { sums: Sums }) {
  const { drawn, lines, difference } = sums;
  const cells = FIGURES.map((key) =>
    key === "drawn" ? [drawn] : key === "open" ? openOf(lines) : [lines[key]],
  );
  return (
    <>
      {cells.map((figures, at) => (
        <td key={FIGURES[at]} className="k-num">
          <Amounts figures={figures} />
        </td>
      ))}
      <td className={isNothing(difference) ? "k-num" : "k-num t-verdict-off"}>
        <Amounts figures={[difference]} />
      </td>
    </>
  );
}

function SignedCell({ signed, not_ready }: MonthRound) {
  const { t } = useTranslation("sheet");
  if (signed === null) {
    return <span className="t-note">{not_ready ?? t("can_sign")}</span>;
  }
  return (
    <>
      {signed.by} <Moment value={signed.at} />
      {!signed.is_current && <div className="t-verdict-off">{t("signed_old")}</div>}
    </>
  );
}

function Rounds({ month }: { month: Month }) {
  const { t } = useTranslation("sheet");
  const figures = [...FIGURES.map((key) => t(key)), t("wallet_difference")];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
    <div className="t-scroll t-month" role="group" aria-label={t("month_rounds")} tabIndex={0}>
      <table className="t-table">
        <TableHead titles={[t("month_round"), ...figures, t("sign_offs")]} right={figures} />
        <tbody>
          {month.rounds.map((round) => (
            <tr key={round.rounds_id}>
              <th scope="row">
                <Link to="/activity_manage/sheet" search={{ rounds_id: String(round.rounds_id) }}>
                  {t("round", { name: round.rounds_name, id: round.rounds_id })}
                </Link>
                <div className="t-note">
                  <Moment value={round.end_time} />
                </div>
              </th>
              <SumCells sums={round} />
              <td>
                <SignedCell {...round} />
              </td>
            </tr>
          ))}
          <tr className="t-sum">
            <th scope="row">{t("month_total", { count: month.rounds.length })}</th>
            <SumCells sums={month.total} />
            <td>{NOTHING}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

interface SignAllProps {
  rounds: readonly MonthRound[];
  onRefused: (texts: readonly string[]) => void;
  onClose: () => void;
}

function SignAll({ rounds, onRefused, onClose }: SignAllProps) {
  const { t } = useTranslation("sheet");
  const toast = useToast();
  const onCode = async (code: string) => {
    const sheets = rounds.map(({ rounds_id, hash }) => ({ rounds_id, hash }));
    const answer = await exchange(monthRoutes.sign, { body: { sheets, code } });
    if (answer.code !== SUCCESS || answer.data === null) {
      return answer.msg;
    }
    const { signed, refused } = answer.data;
    const names = new Map(rounds.map((round) => [round.rounds_id, round.rounds_name]));
    toast.success(t("month_signed", { count: signed }));
    onRefused(refused.map(({ rounds_id, msg }) => `${names.get(rounds_id) ?? rounds_id}：${msg}`));
    await refresh(monthRoutes.detail);
    return null;
  };
  return (
    <CodeDialog title={t("sign_title")} okText={t("sign")} onCode={onCode} onClose={onClose}>
      <p>{t("month_sign_content", { count: rounds.length })}</p>
    </CodeDialog>
  );
}

export function MonthPage() {
  const { t } = useTranslation("sheet");
  const today = useBusinessDay();
  const maySign = useMay("record.pay");
  const { filter, query, reset } = useListSearch(MONTH_SEARCH);
  const chosen = filter.month ?? dayjs(today).subtract(1, "month").format(MONTH);
  const month = useQuery(queryOf(monthRoutes.detail, { query: { month: chosen } }));
  // Sign what was looked at, even when a newer answer comes.
  const [signing, setSigning] = useState<readonly MonthRound[] | null>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const options = Array.from({ length: MONTHS }, (_, back) => {
    const value = dayjs(today).subtract(back, "month").format(MONTH);
    return { value, label: value };
  });
  const ready = (month.data?.rounds ?? []).filter(
    ({ not_ready, signed }) => not_ready === null && signed?.is_current !== true,
  );
  const refetch = () => void month.refetch();
  return (
    <Page title={t("month_title")} refresh={refetch}>
      <QueryForm
        id="month"
        label={t("month_filter")}
        fields={[{ kind: "select", name: "month", label: t("month"), options }]}
        values={{ month: chosen }}
        onQuery={(values) => query(values, refetch)}
        onReset={() => reset(() => undefined)}
      />
      {month.isError || month.data === undefined ? (
        <NotLoaded query={month} />
      ) : month.data.rounds.length === 0 ? (
        <p className="t-note">{t("month_empty", { month: chosen })}</p>
      ) : (
        <div className="t-sheet">
          <div className="k-toolbar">
            <div className="k-tools t-tools">
              <Button onClick={() => void downloadFile(monthRoutes.exportFile, { month: chosen })}>
                {t("month_export")}
              </Button>
              <Button
                type={ready.length > 0 ? "primary" : "default"}
                disabled={!maySign || ready.length === 0}
                onClick={() => {
                  setRefused([]);
                  setSigning(ready);
                }}
              >
                {t("sign_all", { count: ready.length })}
              </Button>
            </div>
          </div>
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
          <div className="t-part">
            <Rounds month={month.data} />
          </div>
        </div>
      )}
      {signing !== null && (
        <SignAll rounds={signing} onRefused={setRefused} onClose={() => setSigning(null)} />
      )}
    </Page>
  );
}
