/** What an import would change: how many prizes, and per pool totals and cost before and after. */
import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { LOOKUP_SIZE } from "@red/contract/limits";
import { prizeRoutes } from "@red/contract/prize";
import type { ImportPreview, PoolPreview } from "@red/contract/prize";
import { queryOf } from "#lib/query.ts";
import { grouped } from "#ui/format.ts";
import { figuresAfter, figuresOf } from "#dialogs/pool-math.ts";

export function ImportChanges({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation("prize");
  const { added, updated, pools } = preview;
  return (
    <>
      <Alert type="info" showIcon title={t("import_counts", { added, updated })} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reached by the keyboard */}
      <div className="p-faults" role="region" aria-label={t("change_list")} tabIndex={0}>
        <table className="k-plain">
          <thead>
            <tr>
              <th scope="col">{t("change_pool")}</th>
              <th scope="col" className="k-right">
                {t("prize_total")}
              </th>
              <th scope="col" className="k-right">
                {t("weight_total")}
              </th>
              <th scope="col" className="k-right">
                {t("average")}
              </th>
            </tr>
          </thead>
          <tbody>
            {pools.map((pool) => (
              <PoolChange key={pool.pool_name} pool={pool} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function PoolChange({ pool }: { pool: PoolPreview }) {
  const { t } = useTranslation("prize");
  const { pool_name, is_new, before, after, prizes } = pool;
  return (
    <tr>
      <th scope="row">
        {pool_name}
        {is_new && <span className="k-note"> {t("change_new")}</span>}
      </th>
      <td className="k-num k-right">
        <Change before={grouped(before.prize_total)} after={grouped(after.prize_total)} />
      </td>
      <td className="k-num k-right">
        <Change before={grouped(before.weight_total)} after={grouped(after.weight_total)} />
      </td>
      <td className="k-num k-right">
        <Change before={useAverage(pool)} after={grouped(figuresAfter(prizes).average)} />
      </td>
    </tr>
  );
}

/** What the next draw costs on average in the pool as it is. */
function useAverage({ pool_name, is_new }: PoolPreview): string {
  const { t } = useTranslation(["prize", "ui"]);
  const query = { pool_name, page: 1, size: LOOKUP_SIZE };
  const prizes = useQuery({ ...queryOf(prizeRoutes.list, { query }), enabled: !is_new });
  if (is_new) {
    return "0.00";
  }
  if (prizes.data === undefined) {
    return prizes.isError ? t("change_unknown") : t("ui:loading");
  }
  return grouped(figuresOf(prizes.data.content).average);
}

function Change({ before, after }: { before: string; after: string }) {
  return before === after ? <>{after}</> : <>{`${before} → ${after}`}</>;
}
