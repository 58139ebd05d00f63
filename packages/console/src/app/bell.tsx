/** The bell lists the outcome of each re-issue, question and export, with a button for the next step (behaviour §6). */
import { BellOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Tooltip } from "antd";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { jobRoutes, retryRight } from "@red/contract/records/job";
import type { Job } from "@red/contract/records/job";
import { recordRoutes } from "@red/contract/records/record";
import { useAct } from "#forms/act.ts";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { call, changeBy, settled } from "#lib/api.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { downloadFile } from "#lib/download.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { queryOf, refresh } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";
import { jobSentence } from "#records/job-sentence.ts";
import { Moment } from "#ui/cells.tsx";
import { useOpened } from "#ui/opened.tsx";
import { useToast } from "#ui/toast.tsx";
import { ApprovalNews, useApprovalNews } from "#approvals/approval-news.tsx";

const JobRows = lazyPart(
  async () => (await import("#records/job-rows.tsx")).JobRows,
  LoadFailedDialog,
);

const LISTED = 10;
const RUNNING_MS = 1_500;
const IDLE_MS = 30_000;

/** Loads the newest jobs. While a job runs, the hook polls more often. */
function useJobs() {
  return useQuery({
    // A failed background poll shows no message, because other calls of the page report the error.
    ...queryOf(jobRoutes.list, { query: { page: 1, size: LISTED } }, { background: true }),
    refetchInterval: ({ state }) =>
      state.data?.content.some(({ status }) => status === "running") === true
        ? RUNNING_MS
        : IDLE_MS,
  });
}

const newsOf = ({ id, status }: Job) => `${id} ${status}`;

/**
 * Shows a toast when a job ends or an export starts after the first response. While the list is open there is no
 * toast, because the toast would cover the list.
 */
function useNews(jobs: readonly Job[] | undefined, isOpen: boolean): void {
  const { t } = useTranslation("job");
  const toast = useToast();
  const reported = useRef<Set<string> | null>(null);
  useEffect(() => {
    reported.current ??= jobs === undefined ? null : new Set(jobs.map(newsOf));
    for (const job of jobs?.filter((one) => reported.current?.has(newsOf(one)) === false) ?? []) {
      reported.current?.add(newsOf(job));
      const isGood = job.status !== "failed" && job.retryable === 0;
      if (!job.seen && (job.status !== "running" || job.kind === "export")) {
        if (!isOpen) {
          (isGood ? toast.success : toast.warning)(jobSentence(job, t));
        }
        void refresh(recordRoutes.list);
      }
    }
  }, [jobs, t, toast, isOpen]);
}

function NextAct({ job }: { job: Job }) {
  const { t } = useTranslation("job");
  const { busy, act } = useAct(jobRoutes.list, recordRoutes.list);
  const { id, kind, status, retryable } = job;
  const mayRetry = useMay(retryRight(kind));
  const open = () => void downloadFile(jobRoutes.file, {}, { id });
  if (kind === "export" && status === "done") {
    return (
      <Button size="small" {...permissionProps(job.file_name !== null)} onClick={open}>
        {t("download")}
      </Button>
    );
  }
  if (retryable === 0 || status === "running" || !mayRetry) {
    return null;
  }
  const retry = () =>
    void act(changeBy(jobRoutes.retry, { params: { id } }), { text: t("retried") });
  return (
    <Button size="small" loading={busy} onClick={retry}>
      {t(`retry_${kind}`, { count: retryable })}
    </Button>
  );
}

interface JobsProps {
  jobs: readonly Job[];
  /** Content above the list of jobs. */
  children: ReactNode;
  onOpen: (job: Job) => void;
}

function Jobs({ jobs, children, onOpen }: JobsProps) {
  const { t } = useTranslation("job");
  return (
    <ul className="s-jobs" aria-label={t("jobs")}>
      {children}
      {jobs.length === 0 && <li className="k-note">{t("no_jobs")}</li>}
      {jobs.map((job) => (
        <li key={job.id}>
          <p>{jobSentence(job, t)}</p>
          <span className="k-note">
            <Moment value={job.started_at} />
          </span>
          {job.kind !== "export" && (
            <Button size="small" onClick={() => onOpen(job)}>
              {t("rows")}
            </Button>
          )}
          <NextAct job={job} />
        </li>
      ))}
    </ul>
  );
}

export function Bell() {
  const { t } = useTranslation(["job", "approval_news"]);
  const { data } = useJobs();
  const news = useApprovalNews();
  const waiting = news?.waiting ?? 0;
  const jobs = data?.content ?? [];
  const unseen = data?.unseen ?? 0;
  const [open, setOpen] = useState(false);
  const opened = useOpened<Job>();
  useNews(data?.content, open);
  const unseenIds = jobs
    .filter(({ status, seen }) => status !== "running" && !seen)
    .map(({ id }) => id)
    .join(",");
  // Marks an ended job as seen once the open list shows the job.
  useEffect(() => {
    if (open && unseenIds !== "") {
      void settled(call(jobRoutes.seen, { body: { ids: unseenIds } })).then(() =>
        refresh(jobRoutes.list),
      );
    }
  }, [open, unseenIds]);
  const openRows = (job: Job) => {
    setOpen(false);
    opened.open(job);
  };
  return (
    <>
      <Tooltip
        trigger="click"
        placement="bottom"
        arrow={false}
        classNames={{ root: "s-bell" }}
        title={
          <Jobs jobs={jobs} onOpen={openRows}>
            {news && <ApprovalNews news={news} onLeave={() => setOpen(false)} />}
          </Jobs>
        }
        open={open}
        onOpenChange={setOpen}
      >
        <Button
          type="text"
          className="s-tool s-fault-button"
          icon={<BellOutlined aria-hidden="true" />}
          aria-label={[
            unseen === 0 ? t("jobs") : t("jobs_unseen", { count: unseen }),
            waiting === 0 ? [] : t("approval_news:waiting_for_you", { count: waiting }),
          ]
            .flat()
            .join(t("comma"))}
          aria-expanded={open}
        >
          {unseen + waiting > 0 && (
            <span className="s-faults-count" aria-hidden="true">
              {unseen + waiting > 99 ? "99+" : unseen + waiting}
            </span>
          )}
        </Button>
      </Tooltip>
      {opened.show((first) => {
        const job = jobs.find(({ id }) => id === first.id) ?? first;
        return <JobRows job={job} act={<NextAct job={job} />} onClose={opened.close} />;
      })}
    </>
  );
}
