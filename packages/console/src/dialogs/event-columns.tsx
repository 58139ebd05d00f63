/** Columns of deposits and bets (spec §3), and what they add up to. */
import { CheckCircleOutlined, StopOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { Bet } from "@red/contract/bet";
import type { Deposit } from "@red/contract/deposit";
import { formatCents, parseCents } from "@red/contract/money";
import { addTexts } from "#lib/language.ts";
import { useCodeLabels } from "#lib/lookups.ts";
import { Code, Money, Moment, Status } from "#ui/cells.tsx";
import type { Column } from "#ui/data-table.tsx";
import { AccountButton } from "./account-button.tsx";
import { EVENT_TEXTS } from "./event-texts.ts";
import "./event-columns.css";

addTexts("event", EVENT_TEXTS);

/** Σ of the amounts that count, as the wire writes money. */
export function sumOf(rows: readonly { amount: string; counts: boolean }[]): string {
  const cents = rows.reduce(
    (sum, { amount, counts }) => sum + (counts ? (parseCents(amount) ?? 0) : 0),
    0,
  );
  return formatCents(cents);
}

/** An amount that counts no more is struck through; the state's column says why. */
function Amount({ value, counts }: { value: string; counts: boolean }) {
  return counts ? (
    <Money value={value} />
  ) : (
    <s className="e-void">
      <Money value={value} />
    </s>
  );
}

function State({ gone }: { gone: "reversed" | "voided" | null }) {
  const { t } = useTranslation("event");
  return gone === null ? (
    <Status tone="neutral" icon={<CheckCircleOutlined />}>
      {t("counts")}
    </Status>
  ) : (
    <Status tone="warning" icon={<StopOutlined />}>
      {t(gone)}
    </Status>
  );
}

export function useDepositColumns(): readonly Column<Deposit>[] {
  const { t } = useTranslation("event");
  const labels = useCodeLabels();
  return [
    {
      key: "user_name",
      title: t("user_name"),
      width: 140,
      fixed: "start",
      rowHeader: true,
      render: ({ user_name }) => <AccountButton name={user_name} />,
    },
    {
      key: "amount",
      title: t("amount"),
      width: 120,
      align: "right",
      render: ({ amount, reversed }) => <Amount value={amount} counts={!reversed} />,
    },
    {
      key: "created_at",
      title: t("created_at"),
      width: 168,
      render: ({ created_at }) => <Moment value={created_at} />,
    },
    {
      key: "channel",
      title: t("channel"),
      width: 110,
      render: ({ channel }) => labels.channel(channel),
    },
    {
      key: "client",
      title: t("client"),
      width: 84,
      render: ({ client }) => labels.client(client),
    },
    {
      key: "order_no",
      title: t("order_no"),
      width: 140,
      render: ({ order_no }) => <Code value={order_no} />,
    },
    {
      key: "state",
      title: t("state"),
      width: 96,
      render: ({ reversed }) => <State gone={reversed ? "reversed" : null} />,
    },
  ];
}

export function useBetColumns(): readonly Column<Bet>[] {
  const { t } = useTranslation("event");
  const labels = useCodeLabels();
  return [
    {
      key: "user_name",
      title: t("user_name"),
      width: 140,
      fixed: "start",
      rowHeader: true,
      render: ({ user_name }) => <AccountButton name={user_name} />,
    },
    {
      key: "validBetAmount",
      title: t("valid_bet"),
      width: 120,
      align: "right",
      render: ({ validBetAmount, voided }) => <Amount value={validBetAmount} counts={!voided} />,
    },
    {
      key: "type",
      title: t("platform"),
      width: 110,
      render: ({ type }) => labels.platform(type),
    },
    {
      key: "created_at",
      title: t("created_at"),
      width: 168,
      render: ({ created_at }) => <Moment value={created_at} />,
    },
    {
      key: "bet_no",
      title: t("bet_no"),
      width: 140,
      render: ({ bet_no }) => <Code value={bet_no} />,
    },
    {
      key: "state",
      title: t("state"),
      width: 96,
      render: ({ voided }) => <State gone={voided ? "voided" : null} />,
    },
  ];
}
