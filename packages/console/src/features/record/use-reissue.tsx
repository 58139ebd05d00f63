/** Re-issue of one or many refused payouts (spec §4, behaviour §6). The server decides each. */
import { App } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type * as z from "zod/mini";
import { recordRoutes } from "@red/contract/record";
import type { DrawRecord } from "@red/contract/record";
import { call, settled } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { useToast } from "#ui/toast.tsx";
import { moneyOf } from "./record-money.ts";

type Report = z.output<typeof recordRoutes.reissue.data>;

/* A refusal of all carries the same report in its data. */
function reportIn(data: unknown): Report | null {
  const parsed = recordRoutes.reissue.data.safeParse(data);
  return parsed.success ? parsed.data : null;
}

function Refusals({ report, names }: { report: Report; names: ReadonlyMap<number, string> }) {
  const { t } = useTranslation("record");
  const { reissued, refused } = report;
  return (
    <>
      <p>{t("refused_summary", { reissued, refused: refused.length })}</p>
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

export function useReissue(onSent: () => void) {
  const { t } = useTranslation(["record", "contract", "ui"]);
  const { modal } = App.useApp();
  const confirm = useConfirm();
  const toast = useToast();
  const [busy, setBusy] = useState(false);

  const tell = (report: Report, records: readonly DrawRecord[]) => {
    if (report.refused.length > 0) {
      const names = new Map(records.map(({ log_id, user_name }) => [log_id, user_name]));
      modal.info({
        title: t("refused_title"),
        content: <Refusals report={report} names={names} />,
        width: 640,
        okText: t("ui:close"),
      });
    }
  };

  const send = async (records: readonly DrawRecord[]) => {
    setBusy(true);
    const log_ids = records.map(({ log_id }) => log_id);
    const sent = await settled(call(recordRoutes.reissue, { body: { log_ids } }));
    setBusy(false);
    if (sent.ok) {
      toast.success(t("contract:reissued"));
      tell(sent.data, records);
      onSent();
    } else {
      // 补发失败 has been toasted; which and why is what is left to say.
      const report = reportIn(sent.error.data);
      if (report !== null) {
        tell(report, records);
      }
    }
    await refresh(recordRoutes.list, recordRoutes.attempts);
  };

  const reissueOne = async (record: DrawRecord) => {
    const { user_name: name, award_name: prize } = record;
    const content = t("reissue_content", { name, prize, amount: moneyOf([record]) });
    if (await confirm({ title: t("reissue_confirm"), content })) {
      await send([record]);
    }
  };

  const reissueMany = async (records: readonly DrawRecord[]) => {
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
