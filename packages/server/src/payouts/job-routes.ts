/** What operators started, what became of it, and what failed once more (behaviour §6, §11). */
import { createReadStream } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { formatDateTime } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import { FIELD_LABELS } from "@red/contract/field-labels";
import { JOB_EXPORTS, JOB_OUTCOMES } from "@red/contract/job";
import type { Job, jobRoutes } from "@red/contract/job";
import { formatCents } from "@red/contract/money";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import { askRecords, reissueRecords } from "./change-records.ts";
import { newest, selectFailed, selectJobRows, selectJobs } from "./job-sql.ts";
import type { JobRecord, JobStart } from "./job-sql.ts";
import { reasonsOf, startedBy } from "./payout-routes.ts";
import { scheduleFor } from "./payout-rules.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/connection";
import type { Handlers, Operator } from "#platform/handlers";
import { parse, withoutEmpty } from "#platform/mount";
import { sql } from "kysely";

/** A job on the wire. */
export function toJob(row: JobRecord, timeZone: string, language: Language): Job {
  const { id, kind, retry_of, file_name, started_at, ended_at, seen_at, fault, sums } = row;
  const isExport = kind === "export";
  const outcomes = JOB_OUTCOMES.map((outcome) => {
    const counts = sums.filter((sum) => sum.outcome === outcome).map(({ count }) => count);
    return { outcome, count: counts.reduce((all, count) => all + count, 0) };
  });
  const payouts = sums.reduce((all, { count }) => all + count, 0);
  const open = outcomes.slice(0, 2).reduce((all, { count }) => all + count, 0);
  return {
    id,
    kind,
    retry_of,
    total: isExport && ended_at === null ? null : isExport ? row.rows : payouts,
    done: isExport ? row.rows : payouts - open,
    status: ended_at === null ? "running" : fault === null ? "done" : "failed",
    outcomes: outcomes.filter(({ count }) => count > 0),
    reasons: sums.flatMap(({ outcome, reason, count }) =>
      outcome === "refused" ? [{ reason: reason ?? "", count }] : [],
    ),
    retryable: sums.reduce((all, { failed }) => all + failed, fault === null ? 0 : 1),
    file_name,
    // Only keys are stored.
    fault: fault && text(fault as ErrorKey, language),
    started_at: formatDateTime(started_at, timeZone),
    ended_at: ended_at && formatDateTime(ended_at, timeZone),
    seen: seen_at !== null,
  };
}

async function ownJob(db: Db, operator: Operator | null, id: number): Promise<JobRecord> {
  const { operator_id } = startedBy(operator);
  const [job] = await selectJobs(db, operator_id, { page: 1, size: 1, id });
  if (job === undefined) {
    throw new AppError("job_not_found");
  }
  return job;
}

async function startExport(
  tx: Tx,
  actor: Actor,
  by: JobStart,
  wanted: { readonly path: string; readonly query: object },
): Promise<number> {
  const row = { ...by, ...wanted, kind: "export", query: JSON.stringify(wanted.query) } as const;
  const { id } = await tx.insertInto("job").values(row).returning("id").executeTakeFirstOrThrow();
  const entry = { action: "start_export", object_type: "job", object_id: id, after: wanted };
  await insertAudit(tx, actor, entry);
  return id;
}

/** The file of an export; they lie in a folder of their own in `DATA_DIR`. */
export function exportFile(dataDir: string, id: number | string): string {
  return path.join(dataDir, "exports", String(id));
}

export function jobHandlers(dataDir: string): Handlers<typeof jobRoutes> {
  return {
    async list({ db, operator, query, language, services }) {
      const { rows, ...counts } = await newest(db, startedBy(operator).operator_id, query);
      const content = rows.map((row) => toJob(row, services.settings.timeZone, language));
      return { data: { content, ...counts } };
    },

    async rows({ db, operator, params, query }) {
      const { id } = await ownJob(db, operator, params.id);
      const { rows, total } = await selectJobRows(db, id, query);
      const content = rows.map(({ cents, ...row }) => ({
        ...row,
        award_price: formatCents(cents),
      }));
      return { data: { content, total } };
    },

    async retry({ tx, actor, operator, params, language, services }) {
      const { id, kind, path: of, query, fault } = await ownJob(tx, operator, params.id);
      const by = startedBy(operator, id);
      if (of !== null && query !== null && fault !== null) {
        const job_id = await startExport(tx, actor, by, { path: of, query });
        return { data: { job_id, taken: 1, refused: [] } };
      }
      const failed = await selectFailed(tx, id);
      const { retentionMs } = scheduleFor(services.settings.walletRetentionDays);
      const { job_id, taken, refused } =
        kind === "ask"
          ? await askRecords(tx, actor, failed, by)
          : await reissueRecords(tx, actor, failed, retentionMs, by);
      if (job_id === null) {
        throw new AppError("job_nothing_failed");
      }
      const key = kind === "ask" ? "record_not_check" : "record_not_refused";
      const reasons = reasonsOf(refused, key, language);
      return { data: { job_id, taken: taken.length, refused: reasons } };
    },

    async seen({ tx, operator, body }) {
      const { operator_id } = startedBy(operator);
      await sql`
        update job set seen_at = clock_timestamp()
        where operator_id = ${operator_id}::bigint and id = any(${body.ids}::bigint[])
          and ended_at is not null and seen_at is null`.execute(tx);
      const { unseen } = await newest(tx, operator_id, { page: 1, size: 1 });
      return { data: { unseen } };
    },

    async exportFile({ tx, actor, operator, body, language }) {
      const route = JOB_EXPORTS.find((one) => one.path === body.path);
      parse(route?.query, withoutEmpty(body.query), { language, labels: FIELD_LABELS[language] });
      return { data: { job_id: await startExport(tx, actor, startedBy(operator), body) } };
    },

    async file({ db, operator, params }) {
      const { id, file_name, ended_at } = await ownJob(db, operator, params.id);
      const file = exportFile(dataDir, id);
      const isMissing = await access(file).catch(() => true);
      if (file_name === null || ended_at === null || isMissing === true) {
        throw new AppError("job_no_file");
      }
      return {
        filename: file_name,
        type: "application/octet-stream",
        content: createReadStream(file),
      };
    },
  };
}
