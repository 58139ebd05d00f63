import { useTranslation } from "react-i18next";
import { recordRoutes } from "@red/contract/record";
import type { DrawRecord } from "@red/contract/record";
import { Attempts } from "#records/attempts.tsx";
import { useRecordActs } from "#records/record-acts.tsx";
import { AwardStatusTag, useRecordColumns } from "#records/record-columns.tsx";
import { listQueryOf } from "#lib/query.ts";
import { Money, Moment } from "#ui/cells.tsx";
import type { Column } from "#ui/list-table.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import type { Paging } from "#ui/pager.tsx";
import { usePaging } from "./use-paging.ts";

interface TabProps {
  user_name: string;
}

function useRecords(user_name: string, paging: Paging) {
  return useList(listQueryOf(recordRoutes.list, { query: { user_name, ...paging } }));
}

function keyOf({ log_id }: DrawRecord): number {
  return log_id;
}

function nameOf({ award_name, created_at }: DrawRecord): string {
  return `${award_name} ${created_at}`;
}

function useDrawnAt(): Column<DrawRecord> {
  const { t } = useTranslation("record");
  return {
    key: "created_at",
    title: t("created_at"),
    width: 92,
    rowHeader: true,
    render: ({ created_at }) => <Moment value={created_at} />,
  };
}

function Chance({ record: { draw_no, extra_time_id: id } }: { record: DrawRecord }) {
  const { t } = useTranslation("player_view");
  return (
    <div className="k-two-lines">
      <span>{id === null ? t("chance_earned") : t("chance_extra", { id })}</span>
      <span className="k-note">{t("nth_draw", { draw_no })}</span>
    </div>
  );
}

export function DrawsTab({ user_name }: TabProps) {
  const { t } = useTranslation(["player_view", "record"]);
  const [paging, setPaging] = usePaging();
  const list = useRecords(user_name, paging);
  const drawnAt = useDrawnAt();
  const columns: readonly Column<DrawRecord>[] = [
    drawnAt,
    {
      key: "activity",
      title: t("record:activity"),
      width: 150,
      render: ({ rounds_name, rounds_id }) => (
        <div className="k-two-lines">
          <span>{rounds_name}</span>
          <span className="k-note k-num">{`ID ${rounds_id}`}</span>
        </div>
      ),
    },
    { key: "prize", title: t("record:prize"), width: 150, render: (one) => one.award_name },
    {
      key: "award_price",
      title: t("record:award_price"),
      width: 92,
      align: "right",
      render: ({ award_price }) => <Money value={award_price} />,
    },
    { key: "chance", title: t("chance"), width: 116, render: (one) => <Chance record={one} /> },
    {
      key: "award_status",
      title: t("record:award_status"),
      width: 80,
      render: ({ award_status }) => <AwardStatusTag status={award_status} />,
    },
  ];
  return (
    <ListPanel
      id="player_draws"
      label={t("list_draws")}
      list={list}
      columns={columns}
      keyOf={keyOf}
      nameOf={nameOf}
      paging={{ ...paging, total: list.total, of: t("list_draws"), onChange: setPaging }}
    />
  );
}

function usePayoutWords(): (record: DrawRecord) => string {
  const { t } = useTranslation("player_view");
  return ({ payout_state, unknown_since, fail_reason, note, paid_at }) => {
    switch (payout_state) {
      case "queued":
      case "sending":
      case "waiting_delivery":
        return t(`words_${payout_state}`);
      case "unknown":
      case "check":
        return t(`words_${payout_state}`, { since: unknown_since ?? "" });
      case "paid":
        return t("words_paid", { time: paid_at ?? "" });
      case "delivered":
        return note === null
          ? t("words_delivered", { time: paid_at ?? "" })
          : t("words_delivered_note", { time: paid_at ?? "", note });
      case "refused":
        return t("words_refused", { reason: fail_reason ?? "" });
      case "closed":
        return t("words_closed", { reason: note ?? fail_reason ?? "" });
      default:
        return payout_state satisfies never;
    }
  };
}

export function PayoutsTab({ user_name }: TabProps) {
  const { t } = useTranslation(["player_view", "record"]);
  const [paging, setPaging] = usePaging();
  const list = useRecords(user_name, paging);
  const words = usePayoutWords();
  const acts = useRecordActs(() => undefined, "player_record_act");
  const drawnAt = useDrawnAt();
  const [actions] = useRecordColumns(["actions"], {
    reissue: (record) => void acts.reissueOne(record),
    deliver: (record) => acts.deliver([record]),
    ask: (record) => void acts.ask([record]),
    close: (record) => acts.close([record]),
  });
  const columns: readonly Column<DrawRecord>[] = [
    drawnAt,
    {
      key: "prize",
      title: t("record:prize"),
      width: 130,
      render: ({ award_name, rounds_name }) => (
        <div className="k-two-lines">
          <span>{award_name}</span>
          <span className="k-note">{rounds_name}</span>
        </div>
      ),
    },
    {
      key: "award_price",
      title: t("record:award_price"),
      width: 88,
      align: "right",
      render: ({ award_price }) => <Money value={award_price} />,
    },
    {
      key: "words",
      title: t("record:payout"),
      width: 210,
      render: (record) => (
        <div className="k-two-lines">
          <AwardStatusTag status={record.award_status} />
          <span className="p-words">{words(record)}</span>
        </div>
      ),
    },
    ...(actions === undefined ? [] : [actions]),
  ];
  return (
    <>
      <ListPanel
        id="player_payouts"
        label={t("list_payouts")}
        list={list}
        columns={columns}
        keyOf={keyOf}
        nameOf={nameOf}
        paging={{ ...paging, total: list.total, of: t("list_payouts"), onChange: setPaging }}
        expand={(record) => <Attempts record={record} />}
      />
      {acts.dialog}
    </>
  );
}
