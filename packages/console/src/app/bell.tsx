/** Tells the operator what became of re-issues, questions and exports, with the next act beside it (behaviour §6). */
import { BellOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Popover } from "antd";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { jobRoutes } from "@red/contract/job";
import type { Job } from "@red/contract/job";
import { recordRoutes } from "@red/contract/record";
import { call, settled } from "#lib/api.ts";
import { downloadFile } from "#lib/download.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";
import { jobSentence } from "#records/job-sentence.ts";
import { Moment } from "#ui/cells.tsx";
import { useToast } from "#ui/toast.tsx";

const LISTED = 10;
const RUNNING_MS = 1_500;
const IDLE_MS = 30_000;

/** The newest jobs; asked for often while one runs. */
function useJobs() {
  return useQuery({
    ...queryOf(jobRoutes.list, { query: { page: 1, size: LISTED } }),
    refetchInterval: ({ state }) =>
      state.data?.content.some(({ status }) => status === "running") === true
        ? RUNNING_MS
        : IDLE_MS,
  });
}

/**
 * Tells each job's end once: of those that were running or are newer than what was listed at first, so that one that
 * ends before it was ever seen running is told too.
 */
function useEndings(jobs: readonly Job[] | undefined): void {
  const { t } = useTranslation("job");
  const toast = useToast();
  const told = useRef<Set<number> | null>(null);
  useEffect(() => {
    if (jobs === undefined) {
      return;
    }
    const ended = jobs.filter(({ status }) => status !== "running");
    if (told.current === null) {
      told.current = new Set(ended.map(({ id }) => id));
      return;
    }
    for (const job of ended.filter(({ id }) => told.current?.has(id) === false)) {
      told.current.add(job.id);
      const isGood = job.status === "done" && job.retryable === 0;
      (isGood ? toast.success : toast.warning)(jobSentence(job, t));
      void refresh(recordRoutes.list, recordRoutes.states);
    }
  }, [jobs, t, toast]);
}

function NextAct({ job }: { job: Job }) {
  const { t } = useTranslation("job");
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const mayPay = useMay("record.pay");
  const { id, kind, status, retryable } = job;
  if (kind === "export" && status === "done") {
    return (
      <Button size="small" onClick={() => void downloadFile(jobRoutes.file, {}, { id })}>
        {t("download")}
      </Button>
    );
  }
  if (retryable === 0 || status === "running" || !mayPay) {
    return null;
  }
  const retry = async () => {
    setBusy(true);
    const { ok } = await settled(call(jobRoutes.retry, { params: { id } }));
    setBusy(false);
    if (ok) {
      toast.success(t("retried"));
    }
    await refresh(jobRoutes.list, recordRoutes.list, recordRoutes.states);
  };
  return (
    <Button size="small" loading={busy} onClick={() => void retry()}>
      {t(`retry_${kind}`, { count: retryable })}
    </Button>
  );
}

function Jobs({ jobs }: { jobs: readonly Job[] }) {
  const { t } = useTranslation("job");
  if (jobs.length === 0) {
    return <p className="k-note">{t("no_jobs")}</p>;
  }
  return (
    <ul className="s-jobs">
      {jobs.map((job) => (
        <li key={job.id}>
          <p>{jobSentence(job, t)}</p>
          <span className="k-note">
            <Moment value={job.started_at} />
          </span>
          <NextAct job={job} />
        </li>
      ))}
    </ul>
  );
}

export function Bell() {
  const { t } = useTranslation("job");
  const { data } = useJobs();
  useEndings(data?.content);
  const jobs = data?.content ?? [];
  const unseen = data?.unseen ?? 0;
  const [open, setOpen] = useState(false);
  const unseenIds = jobs
    .filter(({ status, seen }) => status !== "running" && !seen)
    .map(({ id }) => id)
    .join(",");
  // What is listed is seen, also when it ends while the list is open.
  useEffect(() => {
    if (open && unseenIds !== "") {
      void settled(call(jobRoutes.seen, { body: { ids: unseenIds } })).then(() =>
        refresh(jobRoutes.list),
      );
    }
  }, [open, unseenIds]);
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      title={t("jobs")}
      content={<Jobs jobs={jobs} />}
      open={open}
      onOpenChange={setOpen}
    >
      <Button
        type="text"
        className="s-tool s-fault-button"
        icon={<BellOutlined aria-hidden="true" />}
        aria-label={unseen === 0 ? t("jobs") : t("jobs_unseen", { count: unseen })}
        aria-expanded={open}
      >
        {unseen > 0 && (
          <span className="s-faults-count" aria-hidden="true">
            {unseen > 99 ? "99+" : unseen}
          </span>
        )}
      </Button>
    </Popover>
  );
}
