/** Links to the sheets of the latest rounds: few know a round's number by heart. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/activity";
import { useBusinessNow } from "#lib/clock.ts";
import { listQueryOf } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";
import { Span } from "#ui/cells.tsx";

/** Rounds to load: planned ones come first, and only those that have started are shown. */
const LISTED = 50;
const NAMED = 20;

export function RecentRounds() {
  const { t } = useTranslation("sheet");
  const mayRead = useMay("activity.read");
  const now = useBusinessNow();
  const { data } = useQuery({
    ...listQueryOf(activityRoutes.list, { query: { page: 1, size: LISTED } }),
    enabled: mayRead,
  });
  const begun = (data?.content ?? []).filter(({ start_time }) => start_time <= now).slice(0, NAMED);
  if (begun.length === 0) {
    return null;
  }
  return (
    <section className="t-part" aria-label={t("recent")}>
      <h2>{t("recent")}</h2>
      <ul className="t-rounds">
        {begun.map(({ id, rounds_name, start_time, end_time }) => (
          <li key={id}>
            <Link to="/activity_manage/sheet" search={{ rounds_id: String(id) }}>
              {t("round", { name: rounds_name, id })}
            </Link>
            <span className="t-note">
              <Span start={start_time} end={end_time} />
              {end_time >= now && <span>{t("not_over")}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
