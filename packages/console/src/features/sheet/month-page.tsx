/** The rounds that ended in a month: whether they tie out, signed together, one file (behaviour §6). */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Alert, Button, Select } from "antd";
import { useContext, useEffect, useState } from "react";
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { SUCCESS } from "@red/contract/envelope";
import { monthRoutes } from "@red/contract/month";
import type { Month, MonthRound } from "@red/contract/month";
import { CodeDialog } from "#forms/code-dialog.tsx";
import { exchange } from "#lib/api.ts";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { Moment } from "#ui/cells.tsx";
import { grouped, NOTHING } from "#ui/format.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { HeadContext, Page } from "#ui/page.tsx";
import { TableHead } from "#ui/table-head.tsx";
import { useToast } from "#ui/toast.tsx";
import { MONTH_SEARCH } from "./sheet-search.ts";
import { SHEET_TEXTS } from "./sheet-texts.ts";
import { isNothing } from "./sheet-verdict.ts";
import type { Figure } from "./sheet-verdict.ts";
import "./sheet.css";

addTexts("sheet", SHEET_TEXTS);

const FIGURES = ["drawn", "paid", "delivered", "open", "closed"] as const;

type Sums = Pick<MonthRound, keyof Month["total"]>;

function Amount({ count, amount }: Figure) {
  return (
    <>
      {grouped(amount)} <span className="t-note">{grouped(count)}</span>
    </>
  );
}

/** `left`: what the difference leaves out. */
function SumCells({ sums, left }: { sums: Sums; left: string | null }) {
  const { drawn, lines, open, difference } = sums;
  const all = { ...lines, drawn, open };
  const isOff = difference !== null && !isNothing(difference);
  return (
    <>
      {FIGURES.map((key) => (
        <td key={key} className="k-num">
          <Amount {...all[key]} />
        </td>
      ))}
      <td className={isOff ? "k-num t-verdict-off" : "k-num"}>
        {difference && <Amount {...difference} />}{" "}
        {left !== null && <span className="t-note">{left}</span>}
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
      {signed.by} <Moment value={signed.at} />{" "}
      {!signed.is_current && <span className="t-verdict-off">{t("signed_old")}</span>}
    </>
  );
}

function Rounds({ month }: { month: Month }) {
  const { t } = useTranslation("sheet");
  const figures = [...FIGURES.map((key) => t(key)), t("wallet_difference")];
  const left = month.rounds.filter(({ difference }) => difference === null).length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
    <div className="t-scroll t-month" role="group" aria-label={t("month_rounds")} tabIndex={0}>
      <table className="t-table">
        <TableHead
          titles={[t("month_round"), t("month_end"), ...figures, t("sign_offs")]}
          right={figures}
        />
        <tbody>
          {month.rounds.map((round) => (
            <tr key={round.rounds_id}>
              <th scope="row">
                <Link to="/activity_manage/sheet" search={{ rounds_id: String(round.rounds_id) }}>
                  {t("round", { name: round.rounds_name, id: round.rounds_id })}
                </Link>
              </th>
              <td>
                <Moment value={round.end_time} />
              </td>
              <SumCells sums={round} left={round.difference === null ? t("unchecked") : null} />
              <td>
                <SignedCell {...round} />
              </td>
            </tr>
          ))}
          <tr className="t-sum">
            <th scope="row">{t("month_total", { count: month.rounds.length })}</th>
            <td>{NOTHING}</td>
            <SumCells
              sums={month.total}
              left={left > 0 ? t("month_left", { count: left }) : null}
            />
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

/** Beside the page's title. */
function Tools({ children }: { children: ReactNode }) {
  const head = useContext(HeadContext);
  const bar = (
    <div className="k-toolbar">
      <div className="k-tools t-tools">{children}</div>
    </div>
  );
  return head ? createPortal(bar, head) : null;
}

export function MonthPage() {
  const { t } = useTranslation("sheet");
  const maySign = useMay("record.pay");
  const [filter, change] = usePageSearch(MONTH_SEARCH);
  const month = useQuery({
    ...queryOf(monthRoutes.detail, { query: filter }),
    placeholderData: (old: Month | undefined) => (old?.month === filter.month ? old : undefined),
  });
  const chosen = filter.month ?? month.data?.month ?? "";
  // The month that it opened on stays, whatever is signed meanwhile.
  useEffect(() => {
    if (filter.month === undefined && chosen !== "") {
      change({ month: chosen }, { replace: true });
    }
  }, [filter.month, chosen, change]);
  // Sign what was looked at, even when a newer answer comes.
  const [signing, setSigning] = useState<readonly MonthRound[] | null>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const { with_rounds: months = [] } = month.data ?? {};
  const options = [...new Set([...months, chosen])].toSorted().toReversed();
  const ready = (month.data?.rounds ?? []).filter(
    ({ not_ready, signed }) => not_ready === null && signed?.is_current !== true,
  );
  return (
    <Page title={t("month_title")} refresh={() => void month.refetch()}>
      <Tools>
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
          disabled={!maySign || ready.length === 0}
          onClick={() => {
            setRefused([]);
            setSigning(ready);
          }}
        >
          {t("sign_all", { count: ready.length })}
        </Button>
      </Tools>
      {month.isError || month.data === undefined ? (
        <NotLoaded query={month} />
      ) : month.data.rounds.length === 0 ? (
        <p className="t-note">
          {t("month_empty", { month: chosen })}
          {months[0] !== undefined && (
            <Link to="/activity_manage/month" search={{ month: months[0] }}>
              {t("month_latest", { month: months[0] })}
            </Link>
          )}
        </p>
      ) : (
        <div className="t-sheet">
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
          <Rounds month={month.data} />
        </div>
      )}
      {signing !== null && (
        <SignAll rounds={signing} onRefused={setRefused} onClose={() => setSigning(null)} />
      )}
    </Page>
  );
}
