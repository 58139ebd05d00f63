/**
 * Acts on records (spec §4, behaviour §6). The server decides about each record, and a dialog lists the rejected
 * records.
 */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { jobRoutes } from "@red/contract/records/job";
import { IDS_PER_CALL_MAX } from "@red/contract/platform/limits";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { recordPick, recordRoutes } from "@red/contract/records/record";
import type { DrawRecord, RecordPick } from "@red/contract/records/record";
import * as z from "zod/mini";
import { useAct } from "#forms/act.ts";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { changeBy } from "#lib/api.ts";
import type { Change } from "#lib/api.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { useKeptState } from "#lib/tab-state.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { useToast } from "#ui/toast.tsx";
import { grouped } from "#ui/format.ts";
import { EligibleNote } from "./record-eligible.tsx";
import { eligibleFor, moneyOf } from "./record-money.ts";
import type { RecordAct } from "./record-money.ts";
import { refusedIn, useReport } from "./record-refusals.tsx";
import type { Refused } from "./record-refusals.tsx";
import type { Close } from "#forms/saving.tsx";
import "./record-acts.css";

/** The dialogs are loaded on demand, because most visits only read the list. */
const loadDialogs = async () => await import("./record-dialogs.tsx");
const DeliverDialog = lazyPart(async () => (await loadDialogs()).DeliverDialog, LoadFailedDialog);
const CloseDialog = lazyPart(async () => (await loadDialogs()).CloseDialog, LoadFailedDialog);

type Records = readonly RecordPick[];

const RECORD_LISTS = [
  recordRoutes.list,
  recordRoutes.attempts,
  playerViewRoutes.head,
  jobRoutes.list,
];

const CHOOSE = {
  reissue: "choose_records",
  ask: "choose_questions",
  deliver: "choose_deliveries",
  close: "choose_closings",
} as const satisfies Record<RecordAct, string>;

/** Returns whether the act is possible for at least one record. If not, a toast says why. */
function useCheck(): (act: RecordAct, records: Records) => boolean {
  const { t } = useTranslation(["record", "contract"]);
  const toast = useToast();
  return (act, records) => {
    const words =
      records.length === 0
        ? t(`contract:${CHOOSE[act]}`)
        : records.length > IDS_PER_CALL_MAX
          ? t("too_many_selected", { max: grouped(IDS_PER_CALL_MAX) })
          : eligibleFor(act, records).taken.length === 0
            ? t(`none_${act}`, { count: records.length, records: grouped(records.length) })
            : null;
    if (words !== null) {
      toast.warning(words);
    }
    return words === null;
  };
}

function idsOf(records: Records): number[] {
  return records.map(({ log_id }) => log_id);
}

/** Sends records and lists those that the server rejected. `onDone` runs if the server accepted at least one record. */
function useSend(onDone: () => void) {
  const report = useReport("accepted_summary");
  const { busy, act } = useAct(...RECORD_LISTS);
  const send = async (
    records: Records,
    change: Change<typeof recordRoutes.reissue | typeof recordRoutes.ask>,
    onAnswer?: (answer: { asked: number }) => unknown,
  ) => {
    const done = (answer: { asked: number; refused: Refused }) => {
      onAnswer?.(answer);
      report(records, answer.refused);
    };
    const sent = await act(change, { done, close: onDone });
    if (!sent.ok) {
      // A toast has already shown the error. The dialog now lists the records with their reasons.
      report(records, refusedIn(sent.error) ?? []);
    }
  };
  return { busy, send };
}

/** Returns only the functions for a re-issue. `onDone` runs if the server accepted at least one record. */
export function useReissue(onDone: () => void) {
  const { t } = useTranslation("record");
  const confirm = useConfirm();
  const toast = useToast();
  const check = useCheck();
  const { busy, send } = useSend(onDone);

  const reissue = async (records: Records) =>
    await send(
      records,
      changeBy(recordRoutes.reissue, { body: { log_ids: idsOf(records) } }),
      ({ asked }) => asked > 0 && toast.warning(t("asked_first", { count: asked })),
    );

  const reissueOne = async (record: DrawRecord) => {
    const { user_name: name, award_name: prize } = record;
    const content = t("reissue_content", { name, prize, amount: moneyOf([record]) });
    if (await confirm({ title: t("reissue_confirm"), content })) {
      await reissue([record]);
    }
  };

  const reissueMany = async (records: Records) => {
    if (!check("reissue", records)) {
      return;
    }
    const content = <EligibleNote act="reissue" records={records} />;
    if (await confirm({ title: t("reissue_confirm"), content })) {
      await reissue(records);
    }
  };

  return { busy, reissueOne, reissueMany };
}

/** Asks the wallet about records. No confirmation is needed, because a question changes nothing. */
function useAsk(onDone: () => void) {
  const check = useCheck();
  const { busy: asking, send } = useSend(onDone);

  const ask = async (records: Records) => {
    if (check("ask", records)) {
      await send(records, changeBy(recordRoutes.ask, { body: { log_ids: idsOf(records) } }));
    }
  };

  return { asking, ask };
}

/* The open dialog with its records. The browser keeps this state until after the next sign-in. */
const openSchema = z.catch(
  z.nullable(z.object({ act: z.enum(["deliver", "close"]), records: z.array(recordPick) })),
  null,
);

function useWordedActs(onDone: () => void, keptAs: string) {
  const { act } = useAct(...RECORD_LISTS);
  const check = useCheck();
  const report = useReport("refused_summary");
  const [open, setOpen] = useKeptState(keptAs, (kept) => openSchema.parse(kept));

  /* Closes the dialog if the server rejected every record. After other errors the dialog stays open for another try. */
  const carryOut = async (
    records: Records,
    change: Change<typeof recordRoutes.deliver | typeof recordRoutes.close>,
    close: Close,
  ) => {
    const done = ({ refused }: { refused: Refused }) => {
      close();
      report(records, refused);
      onDone();
    };
    const sent = await act(change, { done });
    if (!sent.ok) {
      const refused = refusedIn(sent.error);
      if (refused === null) {
        throw sent.error;
      }
      close();
      report(records, refused);
    }
  };

  const ask = (act: "deliver" | "close", records: Records) => {
    if (check(act, records)) {
      setOpen({ act, records: records.map((record) => z.parse(recordPick, record)) });
    }
  };

  const records = open?.records ?? [];
  const log_ids = idsOf(records);
  const shared = { records, onClose: () => setOpen(null) };
  const dialog: ReactNode =
    open === null ? null : open.act === "deliver" ? (
      <DeliverDialog
        {...shared}
        onSubmit={(note, close) =>
          carryOut(records, changeBy(recordRoutes.deliver, { body: { log_ids, note } }), close)
        }
      />
    ) : (
      <CloseDialog
        {...shared}
        onSubmit={(reason, close) =>
          carryOut(records, changeBy(recordRoutes.close, { body: { log_ids, reason } }), close)
        }
      />
    );
  return {
    deliver: (records: Records) => ask("deliver", records),
    close: (records: Records) => ask("close", records),
    dialog,
  };
}

/**
 * `onDone` runs after each call in which the server accepted a record. `keptAs` must be unique among the acts on the
 * page.
 */
export function useRecordActs(onDone: () => void, keptAs = "record_act") {
  const acts = { ...useReissue(onDone), ...useAsk(onDone), ...useWordedActs(onDone, keptAs) };
  const ofRow = {
    reissue: (record: DrawRecord) => void acts.reissueOne(record),
    deliver: (record: DrawRecord) => acts.deliver([record]),
    ask: (record: DrawRecord) => void acts.ask([record]),
    close: (record: DrawRecord) => acts.close([record]),
  };
  return { ...acts, ofRow };
}
