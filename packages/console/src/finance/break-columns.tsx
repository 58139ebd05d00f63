/** Columns of the differences between the wallet's statement and our payouts (behaviour §6). */
import { ExclamationCircleOutlined, CheckCircleOutlined } from "@ant-design/icons";
import { Link } from "@tanstack/react-router";
import { Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import type { ReconciliationBreak } from "@red/contract/finance/reconciliation";
import { Code, Moment, Status } from "#ui/cells.tsx";
import { momentColumn } from "#ui/columns.tsx";
import type { Column } from "#ui/list-table.ts";
import { grouped, NOTHING } from "#ui/format.ts";

interface SideProps {
  amount: string | null;
  player_id: string | null;
  none: string;
}

/** One side's amount and player, a line each. */
function Side({ amount, player_id, none }: SideProps) {
  if (amount === null && player_id === null) {
    return <span className="c-none">{none}</span>;
  }
  return (
    <span className="c-side">
      <span className="k-num">{amount === null ? NOTHING : grouped(amount)}</span>
      <span>{player_id ?? NOTHING}</span>
    </span>
  );
}

export function useBreakColumns(): readonly Column<ReconciliationBreak>[] {
  const { t } = useTranslation("reconciliation");
  return [
    {
      key: "kind",
      title: t("kind"),
      width: 120,
      rowHeader: true,
      render: ({ kind, end }) => (
        <Tooltip title={t(`why_${kind}`)}>
          <span>
            <Status
              tone={end === null ? "warning" : "neutral"}
              icon={end === null ? <ExclamationCircleOutlined /> : <CheckCircleOutlined />}
            >
              {t(`kind_${kind}`)}
            </Status>
          </span>
        </Tooltip>
      ),
    },
    {
      key: "trans_sn",
      title: t("trans_sn"),
      width: 128,
      render: ({ trans_sn }) => <Code value={trans_sn} />,
    },
    {
      key: "rounds_id",
      title: t("rounds_id"),
      width: 84,
      align: "right",
      render: ({ rounds_id }) =>
        rounds_id === null ? (
          NOTHING
        ) : (
          <Link to="/activity_manage/sheet" search={{ rounds_id: String(rounds_id) }}>
            {rounds_id}
          </Link>
        ),
    },
    ...(["our", "their"] as const).map((side): Column<ReconciliationBreak> => ({
      key: `${side}s`,
      title: t(`${side}s`),
      width: 124,
      render: ({
        [`${side}_amount` as const]: amount,
        [`${side}_player_id` as const]: player_id,
      }) => <Side amount={amount} player_id={player_id} none={t("nothing")} />,
    })),
    {
      key: "paid_at",
      title: t("paid_at"),
      width: 104,
      render: ({ their_paid_at }) => <Moment value={their_paid_at} />,
    },
    {
      key: "end",
      title: t("end"),
      width: 100,
      render: ({ end }) => (end === null ? t("open_1") : t(`end_${end}`)),
    },
    { key: "reason", title: t("reason"), width: 116, render: ({ reason }) => reason ?? NOTHING },
    {
      key: "ended_by",
      title: t("ended_by"),
      width: 84,
      render: ({ ended_by }) => ended_by ?? NOTHING,
    },
    momentColumn("ended_at", t("ended_at"), 94),
  ];
}
