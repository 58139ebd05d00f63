import { CheckCircleOutlined, ClockCircleOutlined, StopOutlined } from "@ant-design/icons";
import { Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import type { Bet } from "@red/contract/events/bet";
import type { Deposit } from "@red/contract/events/deposit";
import { addTexts } from "#lib/language.ts";
import { useCodeLabels } from "#lib/lookups.ts";
import { Money, Moment, Status } from "#ui/cells.tsx";
import { codeColumn } from "#ui/columns.tsx";
import type { Column } from "#ui/list-table.ts";
import { accountColumn } from "#players/account-button.tsx";
import { EVENT_TEXTS } from "./event-texts.ts";
import "./event-columns.css";

addTexts("event", EVENT_TEXTS);

/** Shows an amount. An amount that does not count is struck through, and the state beside it says why. */
export function Amount({ value, counts }: { value: string; counts: boolean }) {
  return counts ? (
    <Money value={value} />
  ) : (
    <s className="e-void">
      <Money value={value} />
    </s>
  );
}

interface Gone {
  readonly how: "reversed" | "voided";
  readonly at: string | null;
  readonly reason: string | null;
}

function State({ gone }: { gone: Gone | null }) {
  const { t } = useTranslation("event");
  if (gone === null) {
    return (
      <Status tone="neutral" icon={<CheckCircleOutlined />}>
        {t("counts")}
      </Status>
    );
  }
  return (
    <>
      <Status tone="warning" icon={<StopOutlined />}>
        {t(gone.how)}
      </Status>
      <span className="e-gone">
        <Moment value={gone.at} /> {gone.reason}
      </span>
    </>
  );
}

type Event = Pick<Deposit & Bet, "user_name" | "created_at" | "received_at" | "is_late">;

/**
 * Shows the time of the event. A late event also shows its arrival, because earlier decisions did not know the event.
 */
function EventTime({ row: { created_at, received_at, is_late } }: { row: Event }) {
  const { t } = useTranslation("event");
  if (!is_late || received_at === null) {
    return <Moment value={created_at} />;
  }
  const arrived = t("arrived", { at: received_at });
  return (
    <div className="k-two-lines">
      <Moment value={created_at} />
      <Tooltip title={arrived}>
        <span>
          <Status tone="neutral" icon={<ClockCircleOutlined />}>
            {t("late")} <span className="sr-only">{arrived}</span>
          </Status>
        </span>
      </Tooltip>
    </div>
  );
}

function useEventColumns<Row extends Event>(goneOf: (row: Row) => Gone | null) {
  const { t } = useTranslation(["event", "fields", "ui"]);
  const account: Column<Row> = { ...accountColumn(t("fields:user_name"), 140), fixed: "start" };
  const createdAt: Column<Row> = {
    key: "created_at",
    title: t("ui:time"),
    width: 152,
    render: (row) => <EventTime row={row} />,
  };
  const state: Column<Row> = {
    key: "state",
    title: t("ui:state"),
    width: 150,
    render: (row) => <State gone={goneOf(row)} />,
  };
  return { account, createdAt, state };
}

function labelColumn<K extends "channel" | "client" | "type">(
  key: K,
  title: string,
  width: number,
  labelOf: (code: number) => string,
): Column<Readonly<Record<K, number>>> {
  return { key, title, width, render: (row) => labelOf(row[key]) };
}

export function useDepositColumns(): readonly Column<Deposit>[] {
  const { t } = useTranslation(["event", "fields"]);
  const labels = useCodeLabels();
  const { account, createdAt, state } = useEventColumns((row: Deposit) =>
    row.reversed ? { how: "reversed", at: row.reversed_at, reason: row.reversal_reason } : null,
  );
  return [
    account,
    {
      key: "amount",
      title: t("amount"),
      width: 104,
      align: "right",
      render: ({ amount, reversed }) => <Amount value={amount} counts={!reversed} />,
    },
    createdAt,
    labelColumn("channel", t("fields:channel"), 96, labels.channel),
    labelColumn("client", t("fields:client"), 64, labels.client),
    codeColumn("order_no", t("order_no"), 116),
    state,
  ];
}

export function useBetColumns(): readonly Column<Bet>[] {
  const { t } = useTranslation(["event", "fields"]);
  const labels = useCodeLabels();
  const { account, createdAt, state } = useEventColumns((row: Bet) =>
    row.voided ? { how: "voided", at: row.voided_at, reason: row.void_reason } : null,
  );
  return [
    account,
    {
      key: "validBetAmount",
      title: t("valid_bet"),
      width: 104,
      align: "right",
      render: ({ validBetAmount, voided }) => <Amount value={validBetAmount} counts={!voided} />,
    },
    labelColumn("type", t("fields:type"), 96, labels.platform),
    createdAt,
    codeColumn("bet_no", t("bet_no"), 120),
    state,
  ];
}
