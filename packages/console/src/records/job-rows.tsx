/** Lists the payouts of a job with their outcomes (behaviour §6). */
import { Link } from "@tanstack/react-router";
import { Checkbox } from "antd";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { jobRoutes } from "@red/contract/records/job";
import type { Job, JobRow } from "@red/contract/records/job";
import { PAGE_SIZE_DEFAULT } from "@red/contract/platform/limits";
import { walletReason } from "@red/contract/payouts/wallet-reason";
import { addTexts, currentLanguage } from "#lib/language.ts";
import { listQueryOf } from "#lib/query.ts";
import { moneyColumn } from "#ui/columns.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { DIALOG_WIDTH, Dialog } from "#ui/dialog.tsx";
import { useList } from "#ui/list-state.ts";
import { Pager } from "#ui/pager.tsx";
import { jobSentence } from "./job-sentence.ts";
import { RECORD_TEXTS } from "./record-texts.ts";

addTexts("record", RECORD_TEXTS);

type JobRowsProps = { job: Job; act: ReactNode; onClose: () => void };

export function JobRows({ job, act, onClose }: JobRowsProps) {
  const { t } = useTranslation(["job", "record", "lookups"]);
  const first = { page: 1, size: PAGE_SIZE_DEFAULT, onlyRefused: job.reasons.length > 0 };
  const [shown, setShown] = useState(first);
  const show = (next: Partial<typeof shown>) => setShown({ ...shown, ...next });
  const { onlyRefused, ...paging } = shown;
  const query = { ...paging, ...(onlyRefused && { outcome: "refused" as const }) };
  const list = useList({
    ...listQueryOf(jobRoutes.rows, { params: { id: job.id }, query }),
    // The outcomes are part of the query key, so the rows load again after each new outcome.
    queryKey: [jobRoutes.rows.path, job.id, query, job.outcomes],
  });
  const becameOf = ({ outcome, reason }: JobRow) => {
    const key = outcome === "under_way" ? "status_0" : (`state_${outcome}` as const);
    const why = reason === null ? [] : [walletReason(reason, currentLanguage())];
    return [t(`lookups:${key}`), ...why].join(t("colon"));
  };
  const link = ({ trans_sn }: JobRow) => (
    <Link to="/activity_manage/distribution" search={{ trans_sn }} onClick={onClose}>
      {trans_sn}
    </Link>
  );
  return (
    <Dialog
      open
      title={jobSentence(job, t)}
      width={DIALOG_WIDTH.editor}
      className="k-dialog"
      onCancel={onClose}
      footer={act}
    >
      <Checkbox checked={onlyRefused} onChange={() => show({ page: 1, onlyRefused: !onlyRefused })}>
        {t("only_refused")}
      </Checkbox>
      <DataTable
        label={t("rows")}
        columns={[
          { key: "sn", title: t("record:trans_sn"), rowHeader: true, render: link },
          { key: "name", title: t("record:user_name"), render: ({ user_name }) => user_name },
          { key: "prize", title: t("record:award_name"), render: ({ award_name }) => award_name },
          moneyColumn("award_price", t("record:award_price"), 90),
          { key: "outcome", title: t("record:payout"), render: becameOf },
        ]}
        list={list}
        keyOf={({ log_id }) => log_id}
        nameOf={({ trans_sn }) => trans_sn}
      />
      <Pager {...paging} of={t("rows")} total={list.total} onChange={show} />
    </Dialog>
  );
}
