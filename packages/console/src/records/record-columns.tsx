import { CheckCircleFilled, CloseCircleFilled, SyncOutlined } from "@ant-design/icons";
import { Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AwardStatus } from "@red/contract/platform/codes";
import type { DrawRecord } from "@red/contract/records/record";
import { addTexts } from "#lib/language.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { useMay } from "#lib/session.ts";
import { Name, Status } from "#ui/cells.tsx";
import { codeColumn, momentColumn, moneyColumn } from "#ui/columns.tsx";
import type { Tone } from "#ui/cells.tsx";
import type { Column } from "#ui/list-table.ts";
import { RowActions } from "#ui/row-actions.tsx";
import { AccountButton } from "#players/account-button.tsx";
import { isEligible } from "./record-money.ts";
import type { RecordAct } from "./record-money.ts";
import { walletReasonWhole } from "./wallet-reason.ts";
import { RECORD_TEXTS } from "./record-texts.ts";

addTexts("record", RECORD_TEXTS);

/*
 * The states 0 and 1 are blue, 2 is red (spec §4). Icon and text also differ, so that nobody needs to see the colour
 * (behaviour §9).
 */
const STATUS: Record<AwardStatus, { tone: Tone; icon: ReactNode }> = {
  0: { tone: "info", icon: <SyncOutlined aria-hidden="true" /> },
  1: { tone: "done", icon: <CheckCircleFilled aria-hidden="true" /> },
  2: { tone: "danger", icon: <CloseCircleFilled aria-hidden="true" /> },
};

export function AwardStatusTag({ status }: { status: AwardStatus }) {
  const { t } = useTranslation("lookups");
  return <Status {...STATUS[status]}>{t(`status_${status}`)}</Status>;
}

/** Shows the state of the payout, and why the payout failed or when it was paid. */
function PayoutCell({ record }: { record: DrawRecord }) {
  const { t } = useTranslation(["record", "lookups"]);
  const { t: tJob } = useTranslation("job");
  const { payout_state, note, fail_reason, check_reason, paid_at } = record;
  const unpaid = fail_reason ?? check_reason;
  const reason = note ?? (unpaid && walletReasonWhole(unpaid, tJob));
  // The text omits the year, because the column is narrow and the time of the draw shows the year.
  const shown = reason ?? paid_at?.slice("2026-".length) ?? null;
  return (
    <div className="k-two-lines">
      <span style={{ color: `var(--${payout_state}, inherit)` }}>
        {record.held ? t("held") : t(`lookups:state_${payout_state}`)}
      </span>
      {shown !== null && (
        <Tooltip title={reason ?? (paid_at === null ? null : t("paid_at", { time: paid_at }))}>
          <span className="k-note k-ellipsis">{shown}</span>
        </Tooltip>
      )}
    </div>
  );
}

/** Acts of a row. Every record has a re-issue button (spec §4). The other acts only appear when they are possible. */
export type RowActs = Readonly<{ reissue: Act } & Partial<Record<RecordAct, Act>>>;
type Act = (record: DrawRecord) => void;

const ACTS = ["reissue", "deliver", "ask", "close"] as const satisfies readonly RecordAct[];

function ActionsCell({ record, acts }: { record: DrawRecord; acts: RowActs }) {
  const { t } = useTranslation(["record", "contract"]);
  const mayPay = useMay("record.pay");
  const names = { name: record.user_name, prize: record.award_name };
  const actions = ACTS.flatMap((act) => {
    const onAct = acts[act];
    const isDue = isEligible(act, record);
    if (onAct === undefined || (act !== "reissue" && !isDue)) {
      return [];
    }
    // If the permission is missing, the text about the permission replaces this title.
    const title = isDue ? undefined : t("contract:record_not_refused");
    const off = { title, ...permissionProps(mayPay, !isDue) };
    const label = t(`${act}_label`, names);
    return [{ text: t(act), label, ...off, onClick: () => onAct(record) }];
  });
  return <RowActions actions={actions} />;
}

function useColumns(acts: RowActs) {
  const { t } = useTranslation(["record", "fields", "lookups", "ui"]);
  return {
    user_name: {
      title: t("user_name"),
      width: 116,
      fixed: "start",
      rowHeader: true,
      render: ({ user_name, rounds_id }) => (
        <AccountButton name={user_name} rounds_id={rounds_id} />
      ),
    },
    award_name: {
      title: t("fields:award_name"),
      width: 82,
      render: ({ award_name }) => <Name value={award_name} />,
    },
    award_price: moneyColumn("award_price", t("award_price"), 74),
    type: { title: t("type"), width: 46, render: ({ type }) => t(`lookups:type_${type}`) },
    created_at: momentColumn("created_at", t("created_at"), 140),
    activity: {
      title: t("activity"),
      width: 82,
      render: ({ rounds_id, rounds_name }) => (
        <div className="k-two-lines">
          <Name value={rounds_name} />
          <span className="k-note k-num">{`ID ${rounds_id}`}</span>
        </div>
      ),
    },
    rounds_id: {
      title: t("fields:rounds_id"),
      width: 72,
      render: ({ rounds_id }) => <span className="k-num">{rounds_id}</span>,
    },
    rounds_name: {
      title: t("round_name"),
      width: 132,
      render: ({ rounds_name }) => <Name value={rounds_name} />,
    },
    trans_sn: codeColumn("trans_sn", t("trans_sn"), 84),
    turnover: {
      title: t("fields:turnover"),
      width: 70,
      align: "right",
      render: ({ turnover }) => t("turnover_value", { count: turnover }),
    },
    award_status: {
      title: t("fields:award_status"),
      width: 72,
      render: ({ award_status }) => <AwardStatusTag status={award_status} />,
    },
    payout: {
      title: t("payout"),
      width: 100,
      render: (record) => <PayoutCell record={record} />,
    },
    actions: {
      title: t("ui:actions"),
      width: acts.deliver === undefined && acts.close === undefined ? 60 : 96,
      fixed: "end",
      actions: true,
      render: (record) => <ActionsCell record={record} acts={acts} />,
    },
  } as const satisfies Record<string, Omit<Column<DrawRecord>, "key">>;
}

export function useRecordColumns(
  keys: readonly (keyof ReturnType<typeof useColumns>)[],
  acts: RowActs,
): readonly Column<DrawRecord>[] {
  const columns = useColumns(acts);
  return keys.map((key) => ({ key, ...columns[key] }));
}
