/** Columns of the distribution records (spec §2, §3). */
import { CheckCircleFilled, CloseCircleFilled, SyncOutlined } from "@ant-design/icons";
import { Button, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AWARD_STATUS } from "@red/contract/lookups";
import type { AwardStatus } from "@red/contract/lookups";
import type { DrawRecord } from "@red/contract/record";
import { useMay } from "#lib/session.ts";
import { Code, Money, Moment, Status } from "#ui/cells.tsx";
import type { Tone } from "#ui/cells.tsx";
import type { Column } from "#ui/data-table.tsx";

/* 0 and 1 are blue, 2 is red (spec §4); icon and text tell them apart (behaviour §9). */
const STATUS: Record<AwardStatus, { tone: Tone; icon: ReactNode }> = {
  0: { tone: "info", icon: <SyncOutlined aria-hidden="true" /> },
  1: { tone: "info", icon: <CheckCircleFilled aria-hidden="true" /> },
  2: { tone: "danger", icon: <CloseCircleFilled aria-hidden="true" /> },
};

export function AwardStatusTag({ status }: { status: AwardStatus }) {
  const { t } = useTranslation("lookups");
  return <Status {...STATUS[status]}>{t(`status_${status}`)}</Status>;
}

/** What is behind the status: the payout's state, and why it failed or when it was paid. */
function PayoutCell({ record }: { record: DrawRecord }) {
  const { t } = useTranslation(["record", "lookups"]);
  const { payout_state, fail_reason, paid_at } = record;
  // The year is the draw's; the column has no room for it.
  const note = fail_reason ?? paid_at?.slice("2026-".length) ?? null;
  return (
    <div className="k-two-lines">
      <span>{t(`lookups:state_${payout_state}`)}</span>
      {note !== null && (
        <Tooltip title={fail_reason ?? (paid_at === null ? null : t("paid_at", { time: paid_at }))}>
          <span className="k-note k-ellipsis">{note}</span>
        </Tooltip>
      )}
    </div>
  );
}

function ActionsCell({ record, onReissue }: { record: DrawRecord; onReissue: Reissue }) {
  const { t } = useTranslation("record");
  const mayPay = useMay("record.pay");
  const failed = record.award_status === AWARD_STATUS.failed;
  return (
    <Button
      type="link"
      size="small"
      // Offered on every record (first reading of spec §4), enabled where it can be done.
      disabled={!failed || !mayPay}
      title={failed ? undefined : t("only_failed")}
      aria-label={t("reissue_label", { name: record.user_name, prize: record.award_name })}
      onClick={() => onReissue(record)}
    >
      {t("reissue")}
    </Button>
  );
}

type Reissue = (record: DrawRecord) => void;

function drawColumns(t: Translate): Column<DrawRecord>[] {
  return [
    {
      key: "user_name",
      title: t("user_name"),
      width: 108,
      fixed: "start",
      rowHeader: true,
      render: ({ user_name }) => user_name,
    },
    {
      key: "award_name",
      title: t("prize"),
      width: 116,
      render: ({ award_name }) => award_name,
    },
    {
      key: "award_price",
      title: t("award_price"),
      width: 84,
      align: "right",
      render: ({ award_price }) => <Money value={award_price} />,
    },
    {
      key: "type",
      title: t("type"),
      width: 54,
      render: ({ type }) => t(`lookups:type_${type}`),
    },
    {
      key: "created_at",
      title: t("created_at"),
      width: 94,
      render: ({ created_at }) => <Moment value={created_at} />,
    },
    {
      key: "activity",
      title: t("activity"),
      width: 116,
      render: ({ rounds_id, rounds_name }) => (
        <div className="k-two-lines">
          <span>{rounds_name}</span>
          <span className="k-note k-num">{`ID ${rounds_id}`}</span>
        </div>
      ),
    },
  ];
}

function payoutColumns(t: Translate, onReissue: Reissue): Column<DrawRecord>[] {
  return [
    {
      key: "trans_sn",
      title: t("trans_sn"),
      width: 124,
      render: ({ trans_sn }) => <Code value={trans_sn} />,
    },
    {
      key: "turnover",
      title: t("turnover"),
      width: 74,
      align: "right",
      render: ({ turnover }) => t("turnover_value", { count: turnover }),
    },
    {
      key: "award_status",
      title: t("award_status"),
      width: 84,
      render: ({ award_status }) => <AwardStatusTag status={award_status} />,
    },
    {
      key: "payout",
      title: t("payout"),
      width: 116,
      render: (record) => <PayoutCell record={record} />,
    },
    {
      key: "actions",
      title: t("actions"),
      width: 64,
      fixed: "end",
      actions: true,
      render: (record) => <ActionsCell record={record} onReissue={onReissue} />,
    },
  ];
}

function useTranslate() {
  return useTranslation(["record", "lookups"]).t;
}
type Translate = ReturnType<typeof useTranslate>;

export function useRecordColumns(onReissue: Reissue): readonly Column<DrawRecord>[] {
  const t = useTranslate();
  return [...drawColumns(t), ...payoutColumns(t, onReissue)];
}
