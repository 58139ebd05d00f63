/** The parts of a round's sheet. Each part is a small table (behaviour §6). */
import { useTranslation } from "react-i18next";
import type { MonthRound } from "@red/contract/finance/month";
import { SHOWN_FIGURES, shownFigures } from "@red/contract/finance/sheet";
import type { Sheet } from "@red/contract/finance/sheet";
import { walletReasonWhole } from "#records/wallet-reason.ts";
import { Moment } from "#ui/cells.tsx";
import { grouped, NOTHING } from "#ui/format.ts";
import { TableHead } from "#ui/table-head.tsx";
import { isNothing, sheetCoverage, sheetVerdict } from "./sheet-verdict.ts";
import type { Figure } from "./sheet-verdict.ts";

interface FigureRowProps {
  name: string;
  figure: Figure;
  isDifference?: boolean;
}

function FigureRow({ name, figure, isDifference = false }: FigureRowProps) {
  const isOff = isDifference && !isNothing(figure);
  return (
    <tr className={isOff ? "t-off" : isDifference ? "t-sum" : undefined}>
      <th scope="row">{name}</th>
      <td className="k-num">{grouped(figure.count)}</td>
      <td className="k-num">{grouped(figure.amount)}</td>
    </tr>
  );
}

function FigureHead({ first }: { first: string }) {
  const { t } = useTranslation("sheet");
  const figures = [t("count"), t("amount")];
  return <TableHead titles={[first, ...figures]} right={figures} />;
}

/** Says in a sentence whether the figures of the round agree (behaviour §6). */
export function Verdict({ sheet }: { sheet: Sheet }) {
  const { t } = useTranslation("sheet");
  const verdict = sheetVerdict(sheet);
  const isOff = verdict === "off" || verdict === "differs";
  const { accepted_breaks: accepted } = sheet.statement;
  return (
    <p className={isOff ? "t-verdict t-verdict-off" : "t-verdict"}>{t(verdict, { accepted })}</p>
  );
}

export function Totals({ sheet }: { sheet: Sheet }) {
  const { t } = useTranslation("sheet");
  return (
    <table className="t-table" aria-label={t("figures")}>
      <FigureHead first={t("line")} />
      <tbody>
        {shownFigures(sheet).map(({ name, ...figure }) => (
          <FigureRow key={name} name={t(name)} figure={figure} />
        ))}
        <FigureRow name={t("difference")} figure={sheet.difference} isDifference />
      </tbody>
    </table>
  );
}

/** Returns a sentence that says how much of the paid payouts the statements cover. */
export function useCoverage() {
  const { t } = useTranslation("sheet");
  return ({ covered, statement }: Pick<MonthRound, "covered" | "statement">) => {
    const { until, later } = statement;
    const reach = { records: grouped(later.count), amount: grouped(later.amount) };
    return t(sheetCoverage(covered, statement), { until: until ?? "", ...reach });
  };
}

export function Wallet({ sheet }: { sheet: Sheet }) {
  const { t } = useTranslation("sheet");
  const coverageOf = useCoverage();
  const { covered, listed, difference, open_breaks } = sheet.wallet;
  const { accepted_breaks: accepted } = sheet.statement;
  return (
    <>
      <table className="t-table" aria-label={t("wallet")}>
        <FigureHead first={t("wallet")} />
        <tbody>
          <FigureRow name={t("paid")} figure={sheet.lines.paid} />
          <FigureRow name={t("listed")} figure={listed} />
          <FigureRow name={t("wallet_difference")} figure={difference} isDifference={covered} />
        </tbody>
      </table>
      <p className="t-note">{coverageOf({ covered, statement: sheet.statement })}</p>
      <p className="t-note">{t("open_breaks", { count: open_breaks })}</p>
      {accepted > 0 && <p className="t-note">{t("accepted_breaks", { count: accepted })}</p>}
    </>
  );
}

export function Prizes({ prizes }: { prizes: Sheet["prizes"] }) {
  const { t } = useTranslation("sheet");
  const figures = (["award_price", ...SHOWN_FIGURES] as const).map((key) => t(key));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
    <div className="t-scroll" role="group" aria-label={t("prizes")} tabIndex={0}>
      <table className="t-table">
        <TableHead titles={[t("award_name"), ...figures]} right={figures} />
        <tbody>
          {prizes.map((prize) => (
            <tr key={`${prize.prize_id} ${prize.award_name} ${prize.award_price}`}>
              <th scope="row">{prize.award_name}</th>
              <td className="k-num">{grouped(prize.award_price)}</td>
              {shownFigures({ ...prize, prizes: [prize] }).map(({ name, count, amount }) => (
                <td key={name} className="k-num">
                  {grouped(count)}
                  <br />
                  {grouped(amount)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Exceptions({ exceptions }: { exceptions: Sheet["exceptions"] }) {
  const { t } = useTranslation(["sheet", "lookups"]);
  const { t: tJob } = useTranslation("job");
  const { content, total } = exceptions;
  const fields = ["user_name", "award_name", "amount", "state", "reason", "created_at"] as const;
  if (total === 0) {
    return <p className="t-note">{t("no_exceptions")}</p>;
  }
  return (
    <>
      {content.length < total && (
        <p className="t-note">{t("exceptions_more", { total, shown: content.length })}</p>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <div className="t-scroll" role="group" aria-label={t("exceptions")} tabIndex={0}>
        <table className="t-table">
          <TableHead titles={fields.map((key) => t(key))} right={[t("amount")]} />
          <tbody>
            {content.map((record) => (
              <tr key={record.log_id}>
                <th scope="row">{record.user_name}</th>
                <td>{record.award_name}</td>
                <td className="k-num">{grouped(record.amount)}</td>
                <td>{t(`lookups:state_${record.payout_state}`)}</td>
                <td>{record.reason === null ? NOTHING : walletReasonWhole(record.reason, tJob)}</td>
                <td>
                  <Moment value={record.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

export function SignOffs({ signOffs }: { signOffs: Sheet["sign_offs"] }) {
  const { t } = useTranslation("sheet");
  if (signOffs.length === 0) {
    return <p className="t-note">{t("not_signed")}</p>;
  }
  return (
    <ol className="t-signs" reversed>
      {signOffs.map((sign) => (
        <li key={sign.no}>
          <strong>{sign.signed_by}</strong> <Moment value={sign.signed_at} />{" "}
          {t(sign.is_current ? "signed_current" : "signed_old")}
          {sign.is_alone && <p className="t-note">{t("signed_alone")}</p>}
          <br />
          <span className="t-hash">{t("fingerprint", { hash: sign.hash })}</span>
        </li>
      ))}
    </ol>
  );
}
