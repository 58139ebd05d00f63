/** What the chosen pool gives and may cost, and what speaks against starting on it (behaviour §5). */
import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { LOOKUP_SIZE } from "@red/contract/limits";
import { prizeRoutes } from "@red/contract/prize";
import { figuresOf } from "#dialogs/pool-math.ts";
import { useStops } from "#dialogs/stops.ts";
import { queryOf } from "#lib/query.ts";
import { grouped, percent } from "#ui/format.ts";

function poolQuery(pool_name: string) {
  return queryOf(prizeRoutes.list, { query: { pool_name, page: 1, size: LOOKUP_SIZE } });
}

export function PoolFacts({ pool_name }: { pool_name: string | undefined }) {
  const { t } = useTranslation("activity");
  const stops = useStops() ?? [];
  const prizes = useQuery({ ...poolQuery(pool_name ?? ""), enabled: pool_name !== undefined });
  if (pool_name === undefined || prizes.data === undefined) {
    return null;
  }
  const rows = prizes.data.content;
  const figures = figuresOf(rows);
  const isStopped = stops.some((one) => one.name === "draws" || one.pool_name === pool_name);
  return (
    <section className="a-facts" aria-label={t("pool_facts")}>
      <h3>{t("pool_facts")}</h3>
      {figures.level !== "fine" && (
        <Alert type="warning" showIcon title={t(`warn_${figures.level}`, { name: pool_name })} />
      )}
      {isStopped && <Alert type="warning" showIcon title={t("warn_stopped")} />}
      <dl>
        <div>
          <dt>{t("fact_remaining")}</dt>
          <dd className="k-num">{grouped(figures.remaining)}</dd>
        </div>
        <div>
          <dt>{t("fact_average")}</dt>
          <dd className="k-num">{grouped(figures.average)}</dd>
        </div>
        {figures.exposure !== null && (
          <div>
            <dt>{t("fact_exposure")}</dt>
            <dd className="k-num">{grouped(figures.exposure)}</dd>
          </div>
        )}
      </dl>
      <ul>
        {rows.map(({ id, award_name, remaining }) => (
          <li key={id}>
            {t("fact_prize", {
              name: award_name,
              odds: percent(figures.odds.get(id)?.effective ?? 0),
              left: grouped(remaining),
            })}
          </li>
        ))}
      </ul>
    </section>
  );
}
