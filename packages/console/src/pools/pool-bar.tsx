import { PlusOutlined, WarningOutlined } from "@ant-design/icons";
import { Select } from "antd";
import { useTranslation } from "react-i18next";
import type { Pool } from "@red/contract/pools/pool";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import type { PoolFigures } from "./pool-math.ts";
import { TabStrip } from "#ui/tab-strip.tsx";

/** Value of the last tab (spec §2). */
export const NEW_POOL_TAB = "-1";

/** With more pools there is also a search. */
const MANY = 8;

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
  prize_total: number;
  weight_total: number;
  figures: PoolFigures;
  /** Running rounds that find nothing to draw in it. */
  starved: number;
}

/** Total count and weight (spec §2), and what they mean in draws and money. */
export function PoolTotals({ pool, prize_total, weight_total, figures, starved }: PoolTotalsProps) {
  const { t } = useTranslation("prize");
  const entries = [
    { term: t("prize_total"), value: grouped(prize_total) },
    { term: t("weight_total"), value: grouped(weight_total) },
    { term: t("remaining_total"), value: grouped(figures.remaining) },
    { term: t("average"), value: grouped(figures.average) },
    ...(figures.exposure === null
      ? []
      : [{ term: t("exposure"), value: grouped(figures.exposure) }]),
  ];
  return (
    <div className="k-totals">
      {starved > 0 && (
        <p className="p-effect-warning">
          <WarningOutlined aria-hidden="true" />{" "}
          {t("pool_starved", { count: starved, rounds: starved })}
        </p>
      )}
      <dl aria-label={t("totals")}>
        {entries.map(({ term, value }) => (
          <Figure key={term} term={term}>
            {value}
          </Figure>
        ))}
      </dl>
      <p>
        {t("used_by", { count: pool.rounds, rounds: pool.rounds })}
        {prize_total > 0 && ` · ${t(figures.hasGuaranteedStock ? "stock_note" : "no_floor")}`}
      </p>
    </div>
  );
}
