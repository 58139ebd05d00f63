/** Columns of records (spec §2, §3). */
import { CheckCircleFilled, CloseCircleFilled, SyncOutlined } from "@ant-design/icons";
import { Button, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { AWARD_STATUS } from "@red/contract/lookups";
import type { AwardStatus } from "@red/contract/lookups";
import type { DrawRecord } from "@red/contract/record";
import { addTexts } from "#lib/language.ts";
import { useMay } from "#lib/session.ts";
import { Code, Money, Moment, Name, Status } from "#ui/cells.tsx";
import type { Tone } from "#ui/cells.tsx";
import type { Column } from "#ui/data-table.tsx";
import { AccountButton } from "#players/account-button.tsx";
import { RECORD_TEXTS } from "./record-texts.ts";

addTexts("record", RECORD_TEXTS);

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
  const { payout_state, note, fail_reason, check_reason, paid_at } = record;
  const reason = note ?? fail_reason ?? (check_reason === null ? null : t(`check_${check_reason}`));
  // The year is the draw's; the column has no room for it.
  const shown = reason ?? paid_at?.slice("2026-".length) ?? null;
  return (
    <div className="k-two-lines">
      <span>{t(`lookups:state_${payout_state}`)}</span>
      {shown !== null && (
        <Tooltip title={reason ?? (paid_at === null ? null : t("paid_at", { time: paid_at }))}>
          <span className="k-note k-ellipsis">{shown}</span>
        </Tooltip>
      )}
    </div>
  );
}

type Act = (record: DrawRecord) => void;

/** What a row offers. */
export interface RowActs {
  readonly reissue: Act;
  /** Marks a physical prize as handed over. */
  readonly deliver?: Act;
  /** Asks the wallet about a payout that waits for people. */
  readonly ask?: Act;
  /** Gives up a payout that never can be paid. */
  readonly close?: Act;
}

function ReissueButton({ record, onClick }: { record: DrawRecord; onClick: Act }) {
  const { t } = useTranslation("record");
  const mayPay = useMay("record.pay");
  const failed = record.award_status === AWARD_STATUS.failed && record.payout_state !== "closed";
  return (
    <Button
      type="link"
      size="small"
      // Offered on every record (first reading of spec §4), enabled where it can be done.
      disabled={!failed || !mayPay}
      title={failed ? undefined : t("only_failed")}
      aria-label={t("reissue_label", { name: record.user_name, prize: record.award_name })}
      onClick={() => onClick(record)}
    >
      {t("reissue")}
    </Button>
  );
}

function ActionsCell({ record, acts }: { record: DrawRecord; acts: RowActs }) {
  const { t } = useTranslation("record");
  const mayPay = useMay("record.pay");
  const { deliver, ask, close } = acts;
  const names = { name: record.user_name, prize: record.award_name };
  return (
    <div className="k-actions">
      <ReissueButton record={record} onClick={acts.reissue} />
      {deliver !== undefined && record.payout_state === "waiting_delivery" && (
        <Button
          type="link"
          size="small"
          disabled={!mayPay}
          aria-label={t("deliver_label", names)}
          onClick={() => deliver(record)}
        >
          {t("deliver")}
        </Button>
      )}
      {ask !== undefined && record.payout_state === "check" && (
        <Button
          type="link"
          size="small"
          disabled={!mayPay}
          aria-label={t("ask_label", names)}
          onClick={() => ask(record)}
        >
          {t("ask")}
        </Button>
      )}
      {close !== undefined &&
        (record.payout_state === "refused" || record.payout_state === "check") && (
          <Button
            type="link"
            size="small"
            disabled={!mayPay}
            aria-label={t("close_label", names)}
            onClick={() => close(record)}
          >
            {t("close")}
          </Button>
        )}
    </div>
  );
}

function useTranslate() {
  return useTranslation(["record", "lookups"]).t;
}
type Translate = ReturnType<typeof useTranslate>;

function drawColumns(t: Translate) {
  return {
    user_name: {
      title: t("user_name"),
      width: 136,
      fixed: "start",
      rowHeader: true,
      render: ({ user_name, rounds_id }) => (
        <AccountButton name={user_name} rounds_id={rounds_id} />
      ),
    },
    award_name: {
      title: t("prize"),
      width: 110,
      render: ({ award_name }) => <Name value={award_name} />,
    },
    award_price: {
      title: t("award_price"),
      width: 80,
      align: "right",
      render: ({ award_price }) => <Money value={award_price} />,
    },
    type: { title: t("type"), width: 46, render: ({ type }) => t(`lookups:type_${type}`) },
    created_at: {
      title: t("created_at"),
      width: 90,
      render: ({ created_at }) => <Moment value={created_at} />,
    },
    activity: {
      title: t("activity"),
      width: 122,
      render: ({ rounds_id, rounds_name }) => (
        <div className="k-two-lines">
          <Name value={rounds_name} />
          <span className="k-note k-num">{`ID ${rounds_id}`}</span>
        </div>
      ),
    },
    rounds_id: {
      title: t("round_id"),
      width: 72,
      render: ({ rounds_id }) => <span className="k-num">{rounds_id}</span>,
    },
    rounds_name: {
      title: t("round_name"),
      width: 132,
      render: ({ rounds_name }) => <Name value={rounds_name} />,
    },
  } as const satisfies Record<string, Omit<Column<DrawRecord>, "key">>;
}

function payoutColumns(t: Translate, acts: RowActs) {
  return {
    trans_sn: {
      title: t("trans_sn"),
      width: 98,
      render: ({ trans_sn }) => <Code value={trans_sn} />,
    },
    turnover: {
      title: t("turnover"),
      width: 70,
      align: "right",
      render: ({ turnover }) => t("turnover_value", { count: turnover }),
    },
    award_status: {
      title: t("award_status"),
      width: 72,
      render: ({ award_status }) => <AwardStatusTag status={award_status} />,
    },
    payout: {
      title: t("payout"),
      width: 100,
      render: (record) => <PayoutCell record={record} />,
    },
    actions: {
      title: t("actions"),
      width: acts.deliver === undefined && acts.close === undefined ? 60 : 96,
      fixed: "end",
      actions: true,
      render: (record) => <ActionsCell record={record} acts={acts} />,
    },
  } as const satisfies Record<string, Omit<Column<DrawRecord>, "key">>;
}

type ColumnKey = keyof ReturnType<typeof drawColumns> | keyof ReturnType<typeof payoutColumns>;

/** The columns of these keys, in their order. */
export function useRecordColumns(
  keys: readonly ColumnKey[],
  acts: RowActs,
): readonly Column<DrawRecord>[] {
  const t = useTranslate();
  const columns: Record<ColumnKey, Omit<Column<DrawRecord>, "key">> = {
    ...drawColumns(t),
    ...payoutColumns(t, acts),
  };
  return keys.map((key) => ({ key, ...columns[key] }));
}
