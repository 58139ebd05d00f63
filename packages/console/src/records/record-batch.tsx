/** Acts on many records: the records selected on several pages, or all matches of the filter (behaviour §6, §11). */
import { useMutation } from "@tanstack/react-query";
import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IDS_PER_CALL_MAX } from "@red/contract/platform/limits";
import { recordRoutes } from "@red/contract/records/record";
import type { RecordPick } from "@red/contract/records/record";
import type { Input } from "@red/contract/platform/route";
import { call } from "#lib/api.ts";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { BatchBar } from "#ui/batch-bar.tsx";
import { BusyButton } from "#ui/busy-button.tsx";
import { grouped } from "#ui/format.ts";
import type { ListState } from "#ui/list-state.ts";
import { asShown, useSelection } from "#ui/selection.ts";
import type { Selection } from "#ui/selection.ts";
import { useRecordActs } from "./record-acts.tsx";
import { eligibleFor, hasMoney, moneyOf } from "./record-money.ts";
import type { RecordAct } from "./record-money.ts";

type Filter = Input<typeof recordRoutes.ids>["query"];

function keyOf({ log_id }: RecordPick): number {
  return log_id;
}

/** Returns the selected records of a list. A change of the filter clears the selection. */
export function useRecordSelection(filter: Filter | null): Selection<RecordPick> {
  return useSelection({ keyOf, scope: JSON.stringify(filter) });
}

/**
 * Selects all matches of the filter, up to the limit of one act. If the number of matches differs from the total of
 * the list, the list is out of date and loads again, so that its totals match the selection.
 */
function useTickAll(
  filter: Filter | null,
  selection: Selection<RecordPick>,
  list: ListState<RecordPick>,
) {
  const { isPending, data, mutate } = useMutation({
    mutationFn: () => call(recordRoutes.ids, { query: filter ?? {} }),
    onSuccess: ({ content, total }) => {
      selection.replace(content);
      if (total !== list.total) {
        list.retry();
      }
    },
  });
  return { busy: isPending, matched: data?.total ?? null, tick: mutate };
}

interface BatchButtonsProps {
  acts: ReturnType<typeof useRecordActs>;
  offered: readonly RecordAct[];
  records: readonly RecordPick[];
}

function BatchButtons({ acts, offered, records }: BatchButtonsProps) {
  const { t } = useTranslation("record");
  const mayPay = useMay("record.pay");
  return (
    <>
      <BusyButton
        busy={acts.busy}
        {...permissionProps(mayPay)}
        type={records.length > 0 ? "primary" : "default"}
        onClick={() => void acts.reissueMany(records)}
      >
        {t("batch_reissue")}
      </BusyButton>
      {offered.includes("ask") && eligibleFor("ask", records).taken.length > 0 && (
        <BusyButton
          busy={acts.asking}
          {...permissionProps(mayPay)}
          onClick={() => void acts.ask(records)}
        >
          {t("batch_ask")}
        </BusyButton>
      )}
      {offered.includes("deliver") && (
        <Button {...permissionProps(mayPay)} onClick={() => acts.deliver(records)}>
          {t("batch_deliver")}
        </Button>
      )}
      {offered.includes("close") && (
        <Button {...permissionProps(mayPay)} onClick={() => acts.close(records)}>
          {t("batch_close")}
        </Button>
      )}
    </>
  );
}

interface RecordBatchOptions {
  filter: Filter | null;
  selection: Selection<RecordPick>;
  list: ListState<RecordPick>;
  offered: readonly RecordAct[];
}

export function useRecordBatch({ filter, selection, list, offered }: RecordBatchOptions): {
  readonly acts: ReturnType<typeof useRecordActs>;
  readonly buttons: ReactNode;
  readonly bar: ReactNode;
} {
  const { t } = useTranslation("record");
  const acts = useRecordActs(selection.clear);
  const { busy, matched, tick } = useTickAll(filter, selection, list);
  const records = asShown(selection.ticked, list, keyOf);
  const buttons = <BatchButtons acts={acts} offered={offered} records={records} />;
  const count = records.length;
  if (count === 0) {
    return { acts, buttons, bar: null };
  }
  const elsewhere = count - list.rows.filter((row) => selection.has(keyOf(row))).length;
  const { taken } = eligibleFor("reissue", records);
  const max = grouped(IDS_PER_CALL_MAX);
  const isCut = matched !== null && matched > count && count >= IDS_PER_CALL_MAX;
  const notes = [
    ...(elsewhere > 0 ? [t("not_on_page", { records: grouped(elsewhere) })] : []),
    ...(taken.length < count
      ? [t("reissuable", { records: grouped(taken.length), amount: moneyOf(taken) })]
      : []),
    ...(isCut
      ? [t("more_than_max", { total: grouped(matched), max, rest: grouped(matched - count) })]
      : []),
  ];
  const total = grouped(list.total);
  const more = {
    text:
      list.total > IDS_PER_CALL_MAX
        ? t("select_newest", { max, total })
        : t("select_all", { total }),
    busy,
    tick,
  };
  const bar = (
    <BatchBar
      text={t(hasMoney(records) ? "selected" : "selected_goods", {
        records: grouped(count),
        amount: moneyOf(records),
      })}
      notes={notes}
      more={list.total > count && count < IDS_PER_CALL_MAX ? more : undefined}
      onClear={selection.clear}
    >
      {buttons}
    </BatchBar>
  );
  return { acts, buttons, bar };
}
