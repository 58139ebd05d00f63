/** What operators started, what became of it, and what failed once more; exports made in the background (behaviour §6, §11). */
import { createReadStream, createWriteStream } from "node:fs";
import { access, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { formatDateTime } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import { FIELD_LABELS } from "@red/contract/field-labels";
import { JOB_EXPORTS, JOB_OUTCOMES } from "@red/contract/job";
import type { Job, jobRoutes } from "@red/contract/job";
import { formatCents } from "@red/contract/money";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { askRecords, reissueRecords } from "#payouts/change-records";
import {
  insertExport,
  LEASE,
  markSeen,
  newest,
  selectFailed,
  selectJobRows,
  selectJobs,
} from "#payouts/job-sql";
import type { JobRecord } from "#payouts/job-sql";
import { idOf, reasonsOf } from "#payouts/payout-routes";
import { scheduleFor } from "#payouts/payout-rules";
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import type { Download, Handlers, Operator, ReadCall } from "#platform/handlers";
import { parse, withoutEmpty } from "#platform/mount";
import { isDiskFull } from "#platform/spool";
import { eventExportHandlers } from "#players/event-routes";
import { recordHandlers } from "./routes.ts";

/** A job on the wire. */
export function toJob(row: JobRecord, timeZone: string, language: Language): Job {
  const { id, kind, file_name, started_at, ended_at, seen_at, fault, sums } = row;
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
  const [job] = await selectJobs(db, idOf(operator), { page: 1, size: 1, id });
  if (job === undefined) {
    throw new AppError("job_not_found");
  }
  return job;
}

/** The file of an export; they lie in a folder of their own in `DATA_DIR`. */
function fileOf(dataDir: string, id: number | string): string {
  return path.join(dataDir, "exports", String(id));
}

interface WantedExport {
  readonly path: string;
  readonly query: object;
}

/** Exports as their own addresses answer them. */
const MAKERS = [recordHandlers.exportFile, eventExportHandlers.exportFile];

interface Making {
  readonly call: ReadCall<typeof jobRoutes.exportFile | typeof jobRoutes.retry>;
  readonly exportDb: Db;
  readonly dataDir: string;
  /** Aborted when the server stops: a file being made must not hold it up. */
  readonly signal: AbortSignal;
}

/** Starts an export over the query as parsed by its own route; throws bad_input. Writes it once it is called. */
function makerOf({ call, exportDb }: Making, wanted: WantedExport): () => Promise<Download> {
  const at = JOB_EXPORTS.findIndex((route) => route.path === wanted.path);
  const wording = { language: call.language, labels: FIELD_LABELS[call.language] };
  const query = parse(JOB_EXPORTS[at]?.query, withoutEmpty(wanted.query), wording);
  // The handler of the same route.
  const make = MAKERS[at] as unknown as (input: object) => Promise<Download>;
  return () => make({ ...call, db: exportDb, query });
}

/** Writes the file and every second how far it is; meanwhile the job has a lease. Never rejects. */
async function writeFile(making: Making, id: number, make: () => Promise<Download>): Promise<void> {
  const { db, request } = making.call;
  let made: Download | null = null;
  let fault: ErrorKey | null = null;
  const note = async (ended_at: RawBuilder<Date> | null) => {
    const head = { rows: made?.rows?.() ?? 0, file_name: made?.filename ?? null, fault, ended_at };
    const job = db.updateTable("job").set({ ...head, lease_until: LEASE });
    await job.where("id", "=", id).where("ended_at", "is", null).execute();
  };
  const warn = (error: unknown) => request.log.warn({ err: error, job: id }, "export not made");
  const beat = setInterval(() => void note(null).catch(warn), 1_000);
  try {
    const file = fileOf(making.dataDir, id);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    made = await make();
    const { signal } = making;
    await pipeline(made.content, createWriteStream(file, { mode: 0o600 }), { signal });
  } catch (error) {
    warn(error);
    const cut = making.signal.aborted ? "job_cut_off" : "internal";
    const key = error instanceof AppError ? error.key : cut;
    fault = isDiskFull(error) ? "disk_full" : key;
  }
  clearInterval(beat);
  await note(sql`clock_timestamp()`).catch(warn);
}

/** Starts an export in this process; answers the job's id. */
async function startExport(
  making: Making,
  operator_id: number,
  wanted: WantedExport,
): Promise<number> {
  const make = makerOf(making, wanted);
  const { db, actor } = making.call;
  const id = await inTransaction(db, async (tx) => {
    const job_id = await insertExport(tx, operator_id, wanted);
    const entry = { action: "start_export", object_type: "job", object_id: job_id };
    await insertAudit(tx, actor, { ...entry, after: wanted });
    return job_id;
  });
  void writeFile(making, id, make);
  return id;
}

/** A chore: deletes files whose job is gone. */
export function deleteOldExports(dataDir: string) {
  return async (db: Db): Promise<{ files: number }> => {
    const names = await readdir(fileOf(dataDir, "")).catch(() => []);
    const rows = await db.selectFrom("job").select("id").where("fault", "is", null).execute();
    const kept = new Set(rows.map(({ id }) => String(id)));
    const old = names.filter((name) => !kept.has(name));
    await Promise.all(old.map((name) => rm(fileOf(dataDir, name), { force: true })));
    return { files: old.length };
  };
}

export function jobHandlers(deps: Omit<Making, "call">): Handlers<typeof jobRoutes> {
  return {
    async list({ db, operator, query, language, services }) {
      const { rows, ...counts } = await newest(db, idOf(operator), query);
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

    async retry(call) {
      const { db, actor, operator, params, language, services } = call;
      const { id, kind, path: of, query, fault } = await ownJob(db, operator, params.id);
      const by = idOf(operator);
      if (of !== null && query !== null && fault !== null) {
        const job_id = await startExport({ ...deps, call }, by, { path: of, query });
        return { data: { job_id, taken: 1, refused: [] } };
      }
      const { retentionMs } = scheduleFor(services.settings.walletRetentionDays);
      const { job_id, taken, refused } = await inTransaction(db, async (tx) => {
        const failed = await selectFailed(tx, id);
        return kind === "ask"
          ? await askRecords(tx, actor, failed, by)
          : await reissueRecords(tx, actor, failed, retentionMs, by);
      });
      if (job_id === null) {
        throw new AppError("job_nothing_failed");
      }
      const key = kind === "ask" ? "record_not_check" : "record_not_refused";
      const reasons = reasonsOf(refused, key, language);
      return { data: { job_id, taken: taken.length, refused: reasons } };
    },

    async seen({ tx, operator, body }) {
      const operator_id = idOf(operator);
      await markSeen(tx, operator_id, body.ids);
      const { unseen } = await newest(tx, operator_id, { page: 1, size: 1 });
      return { data: { unseen } };
    },

    async exportFile(call) {
      const job_id = await startExport({ ...deps, call }, idOf(call.operator), call.body);
      return { data: { job_id } };
    },

    async file({ db, operator, params }) {
      const { id, file_name, ended_at } = await ownJob(db, operator, params.id);
      const file = fileOf(deps.dataDir, id);
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
