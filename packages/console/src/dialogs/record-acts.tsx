/**
 * What an operator does with records, one or many: re-issue, ask about, mark as delivered, close
 * (spec §4, behaviour §6). The server decides each record; those that it did not take are listed.
 */
import { App } from "antd";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { recordRoutes } from "@red/contract/record";
import type { DrawRecord } from "@red/contract/record";
import * as z from "zod/mini";
import { ApiError, call, settled } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { useToast } from "#ui/toast.tsx";
import { CloseDialog, DeliverDialog } from "./record-dialogs.tsx";
import { moneyOf } from "./record-money.ts";
import "./record-acts.css";

type Records = readonly DrawRecord[];

const refusals = z.object({
  refused: z.array(z.object({ log_id: z.int(), reason: z.string() })),
});
type Refused = z.output<typeof refusals>["refused"];

/* A refusal of all carries the same report in its data. */
function refusedIn(error: ApiError): Refused | null {
  const parsed = refusals.safeParse(error.data);
  return parsed.success ? parsed.data.refused : null;
}

interface RefusalsProps {
  taken: number;
  refused: Refused;
  names: ReadonlyMap<number, string>;
}

function Refusals({ taken, refused, names }: RefusalsProps) {
  const { t } = useTranslation("record");
  return (
    <>
      <p>{t("refused_summary", { taken, refused: refused.length })}</p>
      <div className="r-refusals">
        <table className="k-plain">
          <thead>
            <tr>
              <th scope="col">{t("refused_log_id")}</th>
              <th scope="col">{t("user_name")}</th>
              <th scope="col">{t("refused_reason")}</th>
            </tr>
          </thead>
          <tbody>
            {refused.map(({ log_id, reason }) => (
              <tr key={log_id}>
                <td className="k-num">{log_id}</td>
                <td>{names.get(log_id)}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Lists the records that were not taken. */
function useTell() {
  const { t } = useTranslation(["record", "ui"]);
  const { modal } = App.useApp();
  return (taken: number, refused: Refused, records: Records) => {
    if (refused.length > 0) {
      const names = new Map(records.map(({ log_id, user_name }) => [log_id, user_name]));
      modal.info({
        title: t("refused_title"),
        content: <Refusals taken={taken} refused={refused} names={names} />,
        width: 640,
        okText: t("ui:close"),
      });
    }
  };
}

async function refreshRecords(): Promise<void> {
  await refresh(recordRoutes.list, recordRoutes.attempts);
}

function useReissue(onDone: () => void) {
  const { t } = useTranslation(["record", "contract"]);
  const confirm = useConfirm();
  const toast = useToast();
  const tell = useTell();
  const [busy, setBusy] = useState(false);

  const send = async (records: Records) => {
    setBusy(true);
    const log_ids = records.map(({ log_id }) => log_id);
    const sent = await settled(call(recordRoutes.reissue, { body: { log_ids } }));
    setBusy(false);
    if (sent.ok) {
      toast.success(t("contract:reissued"));
      if (sent.data.asked > 0) {
        toast.warning(t("asked_first", { count: sent.data.asked }));
      }
      tell(sent.data.reissued, sent.data.refused, records);
      onDone();
    } else {
      // 补发失败 has been toasted; which and why is what is left to say.
      tell(0, refusedIn(sent.error) ?? [], records);
    }
    await refreshRecords();
  };

  const reissueOne = async (record: DrawRecord) => {
    const { user_name: name, award_name: prize } = record;
    const content = t("reissue_content", { name, prize, amount: moneyOf([record]) });
    if (await confirm({ title: t("reissue_confirm"), content })) {
      await send([record]);
    }
  };

  const reissueMany = async (records: Records) => {
    if (records.length === 0) {
      toast.warning(t("contract:choose_records"));
      return;
    }
    const content = t("batch_content", { count: records.length, amount: moneyOf(records) });
    if (await confirm({ title: t("reissue_confirm"), content })) {
      await send(records);
    }
  };

  return { busy, reissueOne, reissueMany };
}

/** Asking harms nothing, so nobody is asked whether to. */
function useAsk(onDone: () => void) {
  const { t } = useTranslation("contract");
  const toast = useToast();
  const tell = useTell();
  const [asking, setAsking] = useState(false);

  const ask = async (records: Records) => {
    if (records.length === 0) {
      toast.warning(t("choose_questions"));
      return;
    }
    setAsking(true);
    const log_ids = records.map(({ log_id }) => log_id);
    const sent = await settled(call(recordRoutes.ask, { body: { log_ids } }));
    setAsking(false);
    if (sent.ok) {
      toast.success(t("asked"));
      tell(sent.data.asked, sent.data.refused, records);
      onDone();
    } else {
      tell(0, refusedIn(sent.error) ?? [], records);
    }
    await refreshRecords();
  };

  return { asking, ask };
}

interface Outcome {
  readonly taken: number;
  readonly refused: Refused;
}

/** Delivering and closing ask for words first. */
function useWordedActs(onDone: () => void) {
  const { t } = useTranslation("contract");
  const toast = useToast();
  const tell = useTell();
  const [open, setOpen] = useState<{ act: "deliver" | "close"; records: Records } | null>(null);
  const shut = () => setOpen(null);

  /* With every record refused there is nothing to try again; any other failure leaves the dialog. */
  const carryOut = async (records: Records, done: string, calling: Promise<Outcome>) => {
    try {
      const { taken, refused } = await calling;
      toast.success(done);
      shut();
      tell(taken, refused, records);
      onDone();
    } catch (error) {
      const refused = error instanceof ApiError ? refusedIn(error) : null;
      if (refused === null) {
        throw error;
      }
      shut();
      tell(0, refused, records);
    }
    await refreshRecords();
  };

  const deliver = async (records: Records, note: string | undefined) => {
    const body = { log_ids: records.map(({ log_id }) => log_id), note };
    const calling = call(recordRoutes.deliver, { body });
    await carryOut(
      records,
      t("delivered"),
      calling.then(({ delivered, refused }) => ({ taken: delivered, refused })),
    );
  };

  const close = async (records: Records, reason: string) => {
    const body = { log_ids: records.map(({ log_id }) => log_id), reason };
    const calling = call(recordRoutes.close, { body });
    await carryOut(
      records,
      t("closed"),
      calling.then(({ closed, refused }) => ({ taken: closed, refused })),
    );
  };

  const ask = (act: "deliver" | "close", records: Records) => {
    if (records.length === 0) {
      toast.warning(t(act === "deliver" ? "choose_deliveries" : "choose_closings"));
    } else {
      setOpen({ act, records });
    }
  };

  const dialog: ReactNode =
    open === null ? null : open.act === "deliver" ? (
      <DeliverDialog
        records={open.records}
        onSubmit={(note) => deliver(open.records, note)}
        onClose={shut}
      />
    ) : (
      <CloseDialog
        records={open.records}
        onSubmit={(reason) => close(open.records, reason)}
        onClose={shut}
      />
    );
  return {
    deliver: (records: Records) => ask("deliver", records),
    close: (records: Records) => ask("close", records),
    dialog,
  };
}

/** The acts of a page; `onDone` after each that took at least one record. */
export function useRecordActs(onDone: () => void) {
  return { ...useReissue(onDone), ...useAsk(onDone), ...useWordedActs(onDone) };
}
