/** Shows stock and costs of the chosen pool, with warnings (behaviour §5). */
import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { figuresOf } from "#pools/pool-math.ts";
import { prizesOf } from "#pools/prize-lists.ts";
import { useStops } from "#stops/stops.ts";
import { Figure } from "#ui/figure.tsx";
import { grouped, percent } from "#ui/format.ts";
import { startWarnings } from "./activity-state.ts";

interface PoolFactsProps {
  pool_name: string | undefined;
  /** The pool to copy. `pool_name` will get the prizes of this pool, with full stock. */
  copy_of?: string | undefined;
}

function usePoolFigures({ pool_name, copy_of }: PoolFactsProps) {
  const name = copy_of ?? pool_name ?? "";
  const { data } = useQuery({ ...prizesOf(name), enabled: name !== "" });
  if (name === "" || data === undefined) {
    return null;
  }
  const rows = data.content.map((prize) =>
    copy_of === undefined ? prize : { ...prize, remaining: prize.award_total },
  );
  return { rows, figures: figuresOf(rows) };
}

/** Shows the reasons not to start with this pool. The dialog before a resume shows the same reasons. */
export function PoolWarnings(props: PoolFactsProps) {
  const { pool_name = "" } = props;
  const { t } = useTranslation("activity");
  const stops = useStops() ?? [];
  const pool = usePoolFigures(props);
  const keys = pool === null ? [] : startWarnings(pool_name, pool.figures.level, stops);
  return keys.map((key) => (
    <Alert
      key={key}
      type="warning"
      showIcon
      className="a-warning"
      title={t(key, { name: pool_name })}
    />
  ));
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
