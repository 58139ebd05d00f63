import { useTranslation } from "react-i18next";
import type { Prize, PrizeOnWire } from "@red/contract/pools/prize";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { YesNo } from "#ui/cells.tsx";
import { countColumn, moneyColumn } from "#ui/columns.tsx";
import type { Column } from "#ui/list-table.ts";
import { RowActions } from "#ui/row-actions.tsx";
import type { RowAction } from "#ui/row-actions.tsx";
import { grouped, odds, percent } from "#ui/format.ts";
import { isPhysical } from "./pool-math.ts";
import type { PoolFigures } from "./pool-math.ts";

/** Stock is low below this share of the prize's total. */
const LOW_STOCK = 0.1;

function StockCell({ prize }: { prize: Prize }) {
  const { t } = useTranslation("prize");
  const { award_name: name, award_total: total, remaining } = prize;
  const share = total === 0 ? 0 : remaining / total;
  return (
    <div className="p-stock">
      <span className={remaining === 0 ? "k-num p-gone" : "k-num"}>
        {remaining === 0 ? t("sold_out") : grouped(remaining)}
      </span>
      <span
        role="meter"
        className={share < LOW_STOCK ? "p-meter p-meter-low" : "p-meter"}
        aria-label={t("remaining_label", {
          name,
          remaining: grouped(remaining),
          total: grouped(total),
        })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(share * 100)}
      >
        <span style={{ inlineSize: `${share * 100}%` }} />
      </span>
    </div>
  );
}

function OddsCell({ prize, figures }: { prize: Prize; figures: PoolFigures }) {
  const { t } = useTranslation("prize");
  const prizeOdds = figures.odds.get(prize.id);
  if (prizeOdds === undefined) {
    return null;
  }
  const [configured, now] = [percent(prizeOdds.configured), percent(prizeOdds.effective)];
  return (
    <>
      <span className="p-odds">
        <span className="k-num">{configured}</span>
        <span className="p-fraction">{odds(prizeOdds.configured)}</span>
      </span>
      {/* Once a prize is sold out, the other prizes have higher odds. */}
      {now !== configured && <div className="k-note">{t("odds_now", { share: now })}</div>}
    </>
  );
}

type PrizeActions = Readonly<Record<"edit" | "stock" | "remove", (prize: Prize) => void>> & {
  readonly changes: (prize: Prize) => readonly RowAction[];
};

type Shown = keyof PrizeOnWire | "id" | "odds" | "remaining" | "type" | "actions";

export function usePrizeColumns(
  actions: PrizeActions,
  figures: PoolFigures,
): readonly Column<Prize>[] {
  const { t } = useTranslation(["prize", "fields", "lookups", "ui"]);
  const mayWrite = useMay("pool.write");
  const columns: Readonly<Record<Shown, Omit<Column<Prize>, "key">>> = {
    id: {
      title: t("id"),
      width: 64,
      fixed: "start",
      render: ({ id }) => <span className="k-num">{id}</span>,
    },
    award_name: {
      title: t("fields:award_name"),
      width: 172,
      fixed: "start",
      rowHeader: true,
      render: ({ award_name }) => award_name,
    },
    award_price: moneyColumn("award_price", t("fields:award_price"), 96),
    weight: countColumn("weight", t("fields:weight"), 92),
    odds: {
      title: t("odds"),
      width: 124,
      align: "right",
      render: (prize) => <OddsCell prize={prize} figures={figures} />,
    },
    award_total: countColumn("award_total", t("fields:award_total"), 92),
    remaining: {
      title: t("remaining"),
      width: 108,
      align: "right",
      render: (prize) => <StockCell prize={prize} />,
    },
    floors: {
      title: t("fields:floors"),
      width: 76,
      align: "center",
      render: ({ floors }) => <YesNo value={floors === 1} />,
    },
    type: {
      title: t("type"),
      width: 60,
      align: "center",
      render: (prize) => t(isPhysical(prize) ? "lookups:type_physical" : "lookups:type_virtual"),
    },
    actions: {
      title: t("ui:actions"),
      width: 244,
      fixed: "end",
      actions: true,
      render: (prize) => (
        <RowActions
          actions={[
            ...(["edit", "stock", "remove"] as const).map((act) => ({
              text: t(act),
              label: t(`${act}_label`, { name: prize.award_name }),
              ...permissionProps(mayWrite),
              danger: act === "remove",
              onClick: () => actions[act](prize),
            })),
            ...actions.changes(prize),
          ]}
        />
      ),
    },
  };
  return Object.entries(columns).map(([key, column]) => ({ key, ...column }));
}
