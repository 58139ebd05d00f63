import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useTranslation } from "react-i18next";
import type { Pool } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import { queryOf } from "#lib/query.ts";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { TabStrip } from "#ui/tab-strip.tsx";
import type { PoolFigures } from "./pool-math.ts";
import { Warning } from "./prize-effect.tsx";
import { useRunningRounds } from "./use-running.ts";

/** Key of the last tab, which adds a pool (spec §2). */
export const NEW_POOL_TAB = "-1";

/** If there are more pools than this, a search field appears. */
const MANY = 8;

const TOTALS = ["prize_total", "weight_total", "remaining", "average", "exposure"] as const;

interface PoolTabsProps {
  pools: readonly Pool[];
  activeKey: string | null;
  mayAdd: boolean;
  onOpen: (key: string) => void;
  onAdd: () => void;
}

export function PoolTabs({ pools, activeKey, mayAdd, onOpen, onAdd }: PoolTabsProps) {
  const { t } = useTranslation("prize");
  const find = t("find_pool", { count: pools.length });
  return (
    <TabStrip
      label={t("pools")}
      activeKey={activeKey ?? ""}
      onChange={(key) => (key === NEW_POOL_TAB ? onAdd() : onOpen(key))}
      items={[
        ...pools.map(({ id, pool_name }) => ({ key: String(id), label: pool_name })),
        {
          key: NEW_POOL_TAB,
          label: t("add_pool"),
          icon: <PlusOutlined aria-hidden="true" />,
          disabled: !mayAdd,
        },
      ]}
      tabBarExtraContent={
        pools.length > MANY && (
          <Select<string>
            className="p-find"
            aria-label={find}
            placeholder={find}
            classNames={{ popup: { root: "p-find-names" } }}
            placement="bottomRight"
            value={null}
            showSearch={{ optionFilterProp: "label" }}
            options={pools.map(({ id, pool_name }) => ({ value: String(id), label: pool_name }))}
            onChange={(key) => onOpen(key)}
          />
        )
      }
    />
  );
}

interface PoolTotalsProps {
  pool: Pool;
  figures: PoolFigures;
  /** False until the prizes are loaded: until then every pool looks empty. */
  isKnown: boolean;
}

/** Shows the total number and weight of the prizes (spec §2), and their meaning in draws and money. */
export function PoolTotals({ pool, figures, isKnown }: PoolTotalsProps) {
  const { t } = useTranslation("prize");
  const { pool_name, rounds } = pool;
  const totals = useQuery(queryOf(prizeRoutes.totals, { query: { pool_name } }));
  // If the query fails, the totals are zero (spec §8).
  const { prize_total, weight_total } = totals.data?.[0] ?? { prize_total: 0, weight_total: 0 };
  const running = useRunningRounds(pool_name).length;
  const { level, hasGuaranteedStock } = figures;
  const values = { ...figures, prize_total, weight_total };
  return (
    <div className="k-totals">
      {isKnown && level === "empty" && running > 0 && (
        <Warning>{t("pool_starved", { count: running })}</Warning>
      )}
      <dl aria-label={t("totals")}>
        {TOTALS.map((name) => {
          const value = values[name];
          return (
            value !== null && (
              <Figure key={name} term={t(name)}>
                {grouped(value)}
              </Figure>
            )
          );
        })}
      </dl>
      <p>
        {t("used_by", { count: rounds })}
        {prize_total > 0 && ` · ${t(hasGuaranteedStock ? "stock_note" : "no_floor")}`}
      </p>
    </div>
  );
}
