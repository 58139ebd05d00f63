/** The total line of deposits or bets (spec §2), beside what the page shows of it. */
import { useTranslation } from "react-i18next";
import type { Activity } from "@red/contract/activity";
import { grouped } from "#ui/format.ts";

interface EventTotalsProps {
  label: string;
  /** Over all matches. */
  total: string;
  /** Over the rows of this page. */
  page: string;
  /** The activity whose condition window is asked in. */
  activity: Activity | null;
}

export function EventTotals({ label, total, page, activity }: EventTotalsProps) {
  const { t } = useTranslation("event");
  return (
    <div className="k-totals">
      <dl aria-label={t("totals")}>
        <div>
          <dt>{label}</dt>
          <dd className="k-num">{grouped(total)}</dd>
        </div>
        <div>
          <dt>{t("page_total")}</dt>
          <dd className="k-num">{grouped(page)}</dd>
        </div>
      </dl>
      <p>
        {activity !== null &&
          t("window_note", {
            name: activity.rounds_name,
            start: activity.achieve_start_time,
            end: activity.achieve_end_time,
          })}{" "}
        {t("totals_note")}
      </p>
    </div>
  );
}
