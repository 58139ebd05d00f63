/**
 * Routes of jobs: the jobs that an operator started, their outcomes, and a retry of failed rows;
 * also exports in the background (behaviour §6, §11).
 */
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { formatDateTime } from "@red/contract/platform/datetime";
import { AppError, found } from "@red/contract/platform/errors";
import type { ErrorKey } from "@red/contract/platform/errors";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { JOB_EXPORTS, JOB_OUTCOMES, jobRoutes, retryRight } from "@red/contract/records/job";
import type { Job, JobOutcome } from "@red/contract/records/job";
import { formatCents } from "@red/contract/platform/money";
import { noRisk } from "@red/engine/risk";
import type { Received } from "@red/contract/platform/route";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import { requirePermissions } from "#identity/callers";
import { assertSeen } from "#platform/mask";
import { askRecords, reissueRecords } from "#payouts/change-records";
import {
  countExports,
  insertExport,
  newest,
  noteExport,
  selectFailed,
  selectJobRows,
  selectJobs,
  untilKnown,
  updateSeen,
} from "#payouts/job-sql";
import type { JobRecord } from "#payouts/job-sql";
import { ASKS, reasonsOf } from "#payouts/payout-routes";
import { scheduleFor } from "#payouts/payout-rules";
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { typeOf } from "#platform/http/download";
import { signedIn } from "#platform/handlers";
import type { Download, Handlers, Operator, ReadCall } from "#platform/handlers";
import { replaceKept } from "#platform/kept-fields";
import { parse, withoutEmpty } from "#platform/http/mount";
import { lockExports, referTexts } from "#platform/player-names";
import { isDiskFull } from "#platform/http/download-files";
import { eventExportHandlers } from "#events/event-routes";
import { deleteOldest, fileOf } from "./export-files.ts";
import { recordHandlers } from "./record-routes.ts";

/** Converts a job to its API form. Omits the file name if the operator may no longer get the file. */
function toJob(row: JobRecord, self: Operator, timeZone: string, language: Language): Job {
  const { id, kind, rows, query, file_name, started_at, ended_at, seen_at, fault, sums } = row;
  const countOf = (...of: readonly JobOutcome[]) =>
    sums.reduce((all, { outcome, count }) => all + (of.includes(outcome) ? count : 0), 0);
  const outcomes = JOB_OUTCOMES.map((outcome) => ({ outcome, count: countOf(outcome) }));
  const needed = seenIn(query?.["seen"] ?? SEEN);
  const [all, open] = [countOf(...JOB_OUTCOMES), countOf("under_way", "unknown")];
  return {
    id,
    kind,
    total: kind !== "export" ? all : ended_at && rows,
    done: kind !== "export" ? all - open : rows,
    status: ended_at === null ? "running" : fault === null ? "done" : "failed",
    outcomes: outcomes.filter(({ count }) => count > 0),
    reasons: sums
      .filter(({ outcome }) => outcome === "refused")
      .map(({ reason, count }) => ({ reason: reason ?? "", count })),
    retryable: sums.reduce((some, { failed }) => some + failed, fault === null ? 0 : 1),
    file_name: needed.every((name) => self.permissions.includes(name)) ? file_name : null,
    // Only error keys are stored. The text contains the job id, so that operators can search the log for it.
    fault: fault && text(fault as ErrorKey, language, { request_id: `job ${id}` }),
    started_at: formatDateTime(started_at, timeZone),
    ended_at: ended_at && formatDateTime(ended_at, timeZone),
    seen: seen_at !== null,
  };
}

async function ownJob(db: Db, operator: Operator | null, id: number): Promise<JobRecord> {
  const [job] = await selectJobs(db, signedIn(operator).id, { page: 1, size: 1, id });
  return found(job, "job_not_found");
}

type WantedExport = Received<typeof jobRoutes.exportFile>["body"];

/**
 * An export stores which of these permissions its creator had. An operator who now lacks one of
 * them does not get the file.
 */
const SEEN = ["account.see", "amount.see"] as const;
const seenIn = (held: string | readonly string[]) => SEEN.filter((name) => held.includes(name));

/** The handlers of the export routes, which a job calls. */
const MAKERS = [recordHandlers.exportFile, eventExportHandlers.exportFile];

interface Making {
  readonly call: Omit<ReadCall<typeof jobRoutes.exportFile | typeof jobRoutes.retry>, "write">;
  readonly exportDb: Db;
  readonly dataDir: string;
  /** Aborted when the server stops, so that a file in progress does not delay the stop. */
  readonly signal: AbortSignal;
}

/**
 * Writes the file. Every second it saves the progress, which renews the lease of the job. Stops if
 * the job is deleted. Deletes the file if it stops or fails. Never rejects.
 */
async function writeFile(making: Making, id: number, make: () => Promise<Download>): Promise<void> {
  const { db, request } = making.call;
  let made: Download | null = null;
  let fault: ErrorKey | null = null;
  const gone = new AbortController();
  const file = fileOf(making.dataDir, id);
  const note = async (ends: boolean) => {
    const file_name = fault === null ? (made?.filename ?? null) : null;
    const rows = made?.rows?.() ?? 0;
    if (!(await noteExport(db, id, { rows, file_name, fault, ends }))) {
      gone.abort();
      await rm(file, { force: true });
    }
  };
  const warn = (error: unknown) => request.log.warn({ err: error, job: id }, "export not made");
  let noted = Promise.resolve();
  const beat = setInterval(() => void (noted = note(false).catch(warn)), 1_000);
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const signal = AbortSignal.any([making.signal, gone.signal]);
    await untilKnown(making.exportDb, id, signal);
    made = await make();
    await pipeline(made.content, createWriteStream(file, { mode: 0o600 }), { signal });
  } catch (error) {
    warn(error);
    const cut = making.signal.aborted ? "job_cut_off" : "internal";
    const key = error instanceof AppError ? error.key : cut;
    fault = isDiskFull(error) ? "disk_full" : key;
    await rm(file, { force: true }).catch(warn);
  }
  clearInterval(beat);
  // A later progress update would find that the job has ended, and delete the file.
  await noted;
  await note(true).catch(warn);
  await deleteOldest(db, making.dataDir, signedIn(making.call.operator).id).catch(warn);
}

/**
 * Maximum number of exports of one operator at the same time. EXPORTS_A_MINUTE limits the starts
 * per minute; both limits count all processes.
 */
const EXPORTS_AT_ONCE = 3;
const EXPORTS_A_MINUTE = 30;

/** Throws export_many or too_many_requests if the operator is over a limit. */
async function assertFew(tx: Tx, operator_id: number): Promise<void> {
  const { open, started } = await countExports(tx, operator_id);
  if (open >= EXPORTS_AT_ONCE) {
    throw new AppError("export_many", { max: EXPORTS_AT_ONCE });
  }
  if (started >= EXPORTS_A_MINUTE) {
    throw new AppError("too_many_requests", { seconds: 60 });
  }
}

/**
 * Starts an export in this process. Returns the id of the job and a function that begins the work.
 * Throws the errors of `assertFew`, and bad_input as the export route does.
 */
async function keepExport(tx: Tx, making: Making, { path: of, query }: WantedExport) {
  const { call, exportDb } = making;
  const { actor, operator, language } = call;
  const at = JOB_EXPORTS.findIndex((route) => route.path === of);
  const wording = { language, labels: FIELD_LABELS[language] };
  const schema = JOB_EXPORTS[at]?.query;
  const parsed = parse(schema, withoutEmpty(query), wording);
  assertSeen(schema, parsed, call);
  const { id: operator_id, permissions } = signedIn(operator);
  await assertFew(tx, operator_id);
  await lockExports(tx, "export");
  const seen = seenIn(permissions).join();
  const made_of = { path: of, query: JSON.stringify({ ...query, seen }) };
  const id = await insertExport(tx, { operator_id, ...made_of });
  const kept = await replaceKept(schema, query, "filter", (texts) => referTexts(tx, texts));
  const entry = { action: "start_export", object_type: "job", object_id: id };
  await insertAudit(tx, actor, { ...entry, after: { path: of, query: kept } });
  // MAKERS and JOB_EXPORTS have the same order, so this is the handler of the same route.
  const make = MAKERS[at] as unknown as (input: object) => Promise<Download>;
  const begin = () =>
    void writeFile(making, id, () => make({ ...call, db: exportDb, query: parsed }));
  return { id, begin };
}

/** Creates the job in the transaction of `open` and begins it after the commit. */
async function startExport<A>(
  making: Making,
  wanted: WantedExport,
  open: (keep: (tx: Tx) => Promise<number>) => Promise<A>,
): Promise<A> {
  let begin = () => {};
  const answered = await open(async (tx) => {
    const kept = await keepExport(tx, making, wanted);
    ({ begin } = kept);
    return kept.id;
  });
  begin();
  return answered;
}

/** The answer for a file that is made again. */
const ONE = { data: { taken: 1, refused: [] }, risk: noRisk("a file") };

export function jobHandlers(deps: Omit<Making, "call">): Handlers<typeof jobRoutes> {
  return {
    async list({ db, operator, query, language, services }) {
      const self = signedIn(operator);
      const { rows, ...counts } = await newest(db, self.id, query);
      const { timeZone } = services.settings;
      return {
        data: { content: rows.map((row) => toJob(row, self, timeZone, language)), ...counts },
      };
    },

    async rows({ db, operator, params, query }) {
      const { id } = await ownJob(db, operator, params.id);
      const { rows, total } = await selectJobRows(db, id, query);
      const priced = rows.map(({ cents, ...row }) => ({ ...row, award_price: formatCents(cents) }));
      return { data: { content: priced, total } };
    },

    async retry(call) {
      const { db, actor, operator, params, language, services } = call;
      const { id, kind, path: of, query, fault } = await ownJob(db, operator, params.id);
      await requirePermissions(db, call, jobRoutes.retry, [retryRight(kind)]);
      const by = signedIn(operator).id;
      if (of !== null && query !== null && fault !== null) {
        return await startExport({ ...deps, call }, { path: of, query }, (keep) =>
          call.write(async (tx) => ({ ...ONE, data: { ...ONE.data, job_id: await keep(tx) } })),
        );
      }
      const { retentionMs } = scheduleFor(services.settings.walletRetentionDays);
      return await call.write(async (tx) => {
        const failed = await selectFailed(tx, id);
        const { job_id, taken, refused, risk } =
          kind === "ask"
            ? { ...(await askRecords(tx, actor, failed, by)), risk: ASKS }
            : await reissueRecords(tx, actor, failed, retentionMs, by);
        if (typeof job_id !== "number") {
          throw new AppError("job_nothing_failed");
        }
        const key = kind === "ask" ? "record_not_check" : "record_not_refused";
        const reasons = reasonsOf(refused, key, language);
        return { data: { job_id, taken: taken.length, refused: reasons }, risk };
      });
    },

    async seen({ tx, operator, body }) {
      const { id } = signedIn(operator);
      await updateSeen(tx, id, body.ids);
      const { unseen } = await newest(tx, id, { page: 1, size: 1 });
      return { data: { unseen } };
    },

    async exportFile(call) {
      const open = (keep: (tx: Tx) => Promise<number>) => inTransaction(call.db, keep);
      return { data: { job_id: await startExport({ ...deps, call }, call.body, open) } };
    },

    async file(call) {
      const { db, operator, params } = call;
      const { id, file_name, ended_at, fault, query } = await ownJob(db, operator, params.id);
      await requirePermissions(db, call, jobRoutes.file, seenIn(query?.["seen"] ?? SEEN));
      const file = fileOf(deps.dataDir, id);
      if (file_name === null || ended_at === null || fault !== null || !existsSync(file)) {
        throw new AppError("job_no_file");
      }
      return { filename: file_name, type: typeOf(file_name), content: createReadStream(file) };
    },
  };
}
