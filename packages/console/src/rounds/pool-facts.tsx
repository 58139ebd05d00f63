/** What the chosen pool gives and may cost, and reasons not to start with it (behaviour §5). */
import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { LOOKUP_SIZE } from "@red/contract/platform/limits";
import { prizeRoutes } from "@red/contract/pools/prize";
import { figuresOf } from "#pools/pool-math.ts";
import { useStops } from "#stops/stops.ts";
import { queryOf } from "#lib/query.ts";
import { Figure } from "#ui/figure.tsx";
import { grouped, percent } from "#ui/format.ts";

export interface PoolFactsProps {
  pool_name: string | undefined;
  /** The pool to be copied: `pool_name` will have its prizes, with full stock. */
  copy_of?: string | undefined;
}

function usePoolFigures({ pool_name, copy_of }: PoolFactsProps) {
  const query = { pool_name: copy_of ?? pool_name ?? "", page: 1, size: LOOKUP_SIZE };
  const enabled = query.pool_name !== "";
  const prizes = useQuery({ ...queryOf(prizeRoutes.list, { query }), enabled });
  if (!enabled || prizes.data === undefined) {
    return null;
  }
  const { content } = prizes.data;
  const rows =
    copy_of === undefined
      ? content
      : content.map((prize) => ({ ...prize, remaining: prize.award_total }));
  return { rows, figures: figuresOf(rows) };
}

/** Reasons not to start with this pool; resuming asks about the same. */
export function PoolWarnings(props: PoolFactsProps) {
  const { pool_name = "" } = props;
  const { t } = useTranslation("activity");
  const stops = useStops() ?? [];
  const pool = usePoolFigures(props);
  if (pool === null) {
    return null;
  }
  const { level } = pool.figures;
  const isStopped = stops.some((one) => one.name === "draws" || one.pool_name === pool_name);
  return (
    <>
      {level !== "fine" && (
        <Alert
          type="warning"
          showIcon
          className="a-warning"
          title={t(`warn_${level}`, { name: pool_name })}
        />
      )}
      {isStopped && (
        <Alert type="warning" showIcon className="a-warning" title={t("warn_stopped")} />
      )}
    </>
  );
}

export function PoolFacts(props: PoolFactsProps) {
  const { t } = useTranslation("activity");
  const pool = usePoolFigures(props);
  if (pool === null) {
    return null;
  }
  const { rows, figures } = pool;
  return (
    <section className="a-facts" aria-label={t("pool_facts")}>
      <h3>{t("pool_facts")}</h3>
      <dl className="k-figures">
        <Figure term={t("fact_remaining")}>{grouped(figures.remaining)}</Figure>
        <Figure term={t("fact_average")}>{grouped(figures.average)}</Figure>
        {figures.exposure !== null && (
          <Figure term={t("fact_exposure")}>{grouped(figures.exposure)}</Figure>
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
