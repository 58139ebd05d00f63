/** Columns of the differences between the wallet's statement and our payouts (behaviour §6). */
import { ExclamationCircleOutlined, CheckCircleOutlined } from "@ant-design/icons";
import { Link } from "@tanstack/react-router";
import { Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import type { ReconciliationBreak } from "@red/contract/finance/reconciliation";
import { Moment, Status } from "#ui/cells.tsx";
import { codeColumn, column, momentColumn } from "#ui/columns.tsx";
import type { Column } from "#ui/list-table.ts";
import { grouped, NOTHING } from "#ui/format.ts";

type SideProps = Record<"amount" | "player_id", string | null>;

/** Shows amount and player of one side, each in a separate line. */
function Side({ amount, player_id }: SideProps) {
  const { t } = useTranslation("reconciliation");
  if (amount === null && player_id === null) {
    return <span className="c-none">{t("nothing")}</span>;
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
    column("kind", t("kind"), { width: 120, rowHeader: true }, ({ kind, end }) => (
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
    )),
    codeColumn("trans_sn", t("trans_sn"), 128),
    column("rounds_id", t("rounds_id"), { width: 84, align: "right" }, ({ rounds_id }) =>
      rounds_id === null ? (
        NOTHING
      ) : (
        <Link to="/activity_manage/sheet" search={{ rounds_id: String(rounds_id) }}>
          {rounds_id}
        </Link>
      ),
    ),
    column("ours", t("ours"), 124, ({ our_amount, our_player_id }) => (
      <Side amount={our_amount} player_id={our_player_id} />
    )),
    column("theirs", t("theirs"), 124, ({ their_amount, their_player_id }) => (
      <Side amount={their_amount} player_id={their_player_id} />
    )),
    column("paid_at", t("paid_at"), 104, ({ their_paid_at }) => <Moment value={their_paid_at} />),
    column("end", t("end"), 100, ({ end }) => (end === null ? t("open_1") : t(`end_${end}`))),
    column("reason", t("reason"), 116, ({ reason }) => reason ?? NOTHING),
    column("ended_by", t("ended_by"), 84, ({ ended_by }) => ended_by ?? NOTHING),
    momentColumn("ended_at", t("ended_at"), 94),
  ];
}
