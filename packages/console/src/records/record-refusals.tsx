import { App } from "antd";
import { useTranslation } from "react-i18next";
import type { RecordPick } from "@red/contract/records/record";
import * as z from "zod/mini";
import type { ApiError } from "#lib/api.ts";
import { useOnPage } from "#lib/use-on-page.ts";
import { grouped } from "#ui/format.ts";
import { TableHead } from "#ui/table-head.tsx";
import { useToast } from "#ui/toast.tsx";
import { counted, hasMoney, moneyOf } from "./record-money.ts";

const refusals = z.object({
  refused: z.array(z.object({ log_id: z.int(), reason: z.string() })),
});
export type Refused = z.output<typeof refusals>["refused"];

/** Returns the rejected records if the server rejected all records, or null for other errors. */
export function refusedIn(error: ApiError): Refused | null {
  const parsed = refusals.safeParse(error.data);
  return parsed.success ? parsed.data.refused : null;
}

/** Maximum number of rejected records in the table. Further records only appear in the counts by reason. */
const LISTED_MAX = 200;

/** The server only accepts a re-issue or a question, which runs later. Other acts are done when the server responds. */
type Summary = "accepted_summary" | "refused_summary";

interface RefusalsProps {
  summary: Summary;
  records: readonly RecordPick[];
  refused: Refused;
}

function Refusals({ summary, records, refused }: RefusalsProps) {
  const { t } = useTranslation(["record", "fields"]);
  const byId = new Map(records.map((record) => [record.log_id, record]));
  const left = new Set(refused.map(({ log_id }) => log_id));
  const taken = records.filter(({ log_id }) => !left.has(log_id));
  const count = refused.length;
  // Delivered prizes are physical and have no amounts.
  const done =
    summary === "refused_summary" && !hasMoney(taken) ? "refused_summary_goods" : summary;
  const words = taken.length === 0 ? "none_summary" : done;
  const titles = [t("refused_log_id"), t("user_name"), t("award_price"), t("fields:reason")];
  return (
    <>
      <p>
        {t(words, {
          taken: grouped(taken.length),
          amount: moneyOf(taken),
          refused: grouped(count),
          count,
        })}
      </p>
      <ul className="r-reasons">
        {counted(refused.map(({ reason }) => reason)).map(([reason, times]) => (
          <li key={reason}>{t("refused_because", { reason, times: grouped(times) })}</li>
        ))}
      </ul>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <div className="r-refusals" role="group" aria-label={t("refused_title")} tabIndex={0}>
        <table className="k-plain">
          <TableHead titles={titles} right={[t("award_price")]} />
          <tbody>
            {refused.slice(0, LISTED_MAX).map(({ log_id, reason }) => (
              <tr key={log_id}>
                <td className="k-num">{log_id}</td>
                <td>{byId.get(log_id)?.user_name}</td>
                <td className="k-num k-right">{grouped(byId.get(log_id)?.award_price ?? "")}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > LISTED_MAX && (
        <p className="k-note">
          {t("refused_more", { count: count - LISTED_MAX, more: grouped(count - LISTED_MAX) })}
        </p>
      )}
    </>
  );
}

/** Reports how many records the server accepted, and lists the rejected records. */
export function useReport(
  summary: Summary,
): (records: readonly RecordPick[], refused: Refused) => void {
  const { t } = useTranslation(["record", "ui"]);
  const { modal } = App.useApp();
  const toast = useToast();
  const isOnPage = useOnPage();
  return (records, refused) => {
    if (refused.length > 0 && !isOnPage()) {
      // The operator has opened another page, so show only a toast.
      toast.warning(t("refused_elsewhere", { refused: grouped(refused.length) }));
    } else if (refused.length > 0) {
      modal.info({
        title: t("refused_title"),
        content: <Refusals summary={summary} records={records} refused={refused} />,
        width: 640,
        okText: t("ui:close"),
      });
    }
  };
}
