/**
 * What jobs need in the background, every second: outcomes are noted, and the exports made, one at a time, into files
 * that are kept as long as their jobs (behaviour §11). One whose process died is ended with that reason.
 */
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { AppError } from "@red/contract/errors";
import { JOB_EXPORTS } from "@red/contract/job";
import type { Received } from "@red/contract/route";
import { sql } from "kysely";
import type { Logger } from "pino";
import { exportFile } from "#payouts/job-routes";
import { noteOutcomes } from "#payouts/job-sql";
import type { JobRecord } from "#payouts/job-sql";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import type { Download, Services } from "#platform/handlers";
import { parse, withoutEmpty } from "#platform/mount";
import { isDiskFull } from "#platform/spool";
import { startLoop } from "#platform/upkeep-job";
import type { Loop } from "#platform/upkeep-job";
import { eventFile } from "#players/event-routes";
import { recordFile } from "./routes.ts";

const PAUSE_MS = 1_000;
const LEASE = sql`now() + interval '30 seconds'`;

export interface JobWork {
  /** Lists, counts and notes. */
  readonly db: Db;
  /** Reads what is exported; null where no files are made. */
  readonly exportDb: Db | null;
  readonly dataDir: string;
  readonly services: Services;
  readonly log: Pick<Logger, "warn">;
}

/** Starts the next export; those of dead processes end. */
async function claim(db: Db): Promise<JobRecord | null> {
  await sql`update job set ended_at = clock_timestamp(), fault = 'job_cut_off'
    where kind = 'export' and ended_at is null and lease_until < now()`.execute(db);
  const { rows } = await sql<JobRecord>`
    update job set lease_until = ${LEASE} where id = (
      select id from job where kind = 'export' and ended_at is null and lease_until is null
      order by id limit 1 for update skip locked)
    returning *`.execute(db);
  return rows[0] ?? null;
}

/** The table of the export. Throws what the export's own address answers. */
async function downloadOf(db: Db, job: JobRecord, services: Services): Promise<Download> {
  const [records, events] = JOB_EXPORTS;
  const isRecords = job.path === records.path;
  const wording = { language: "zh", labels: {} } as const;
  const query = parse((isRecords ? records : events).query, withoutEmpty(job.query), wording);
  // Parsed by the schema of its route.
  return isRecords
    ? await recordFile(db, query as Received<typeof records>["query"], services)
    : await eventFile(db, query as Received<typeof events>["query"], services);
}

async function make(work: JobWork, exportDb: Db, job: JobRecord, signal: AbortSignal) {
  const { db, log } = work;
  const note = (what: object) =>
    db
      .updateTable("job")
      .set(what)
      .where("id", "=", job.id)
      .where("ended_at", "is", null)
      .execute();
  const file = exportFile(work.dataDir, job.id);
  let beat: NodeJS.Timeout | undefined;
  let end: object = {};
  try {
    const { content, filename, rows = () => 0 } = await downloadOf(exportDb, job, work.services);
    const progress = () => ({ rows: rows(), file_name: filename, lease_until: LEASE });
    beat = setInterval(() => void note(progress()).catch(() => {}), PAUSE_MS);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await pipeline(content, createWriteStream(file, { mode: 0o600 }), { signal });
    end = progress();
  } catch (fault) {
    log.warn({ err: fault, job: job.id }, "an export was not made");
    const key = fault instanceof AppError ? fault.key : signal.aborted ? "job_cut_off" : "internal";
    end = { fault: isDiskFull(fault) ? "disk_full" : key };
  } finally {
    clearInterval(beat);
  }
  await note({ ...end, ended_at: sql`clock_timestamp()` });
}

/** Runs until it is stopped. */
export function startJobs(work: JobWork): Loop {
  const { db, exportDb, log } = work;
  const warn = (fault: unknown) => log.warn({ err: fault }, "jobs not noted, trying again");
  let making: Promise<void> | null = null;
  const loop = startLoop(async (signal) => {
    try {
      await inTransaction(db, noteOutcomes);
      const job = exportDb === null || making !== null ? null : await claim(db);
      if (exportDb !== null && job !== null) {
        making = make(work, exportDb, job, signal)
          .catch(warn)
          .finally(() => (making = null));
      }
    } catch (fault) {
      warn(fault);
    }
    return PAUSE_MS;
  });
  return { stop: () => loop.stop().then(() => making ?? undefined) };
}

/** A chore: deletes files whose job is gone. */
export function deleteOldExports(dataDir: string) {
  return async (db: Db): Promise<{ files: number }> => {
    const names = await readdir(exportFile(dataDir, "")).catch(() => []);
    const rows = await db.selectFrom("job").select("id").where("fault", "is", null).execute();
    const kept = new Set(rows.map(({ id }) => String(id)));
    const old = names.filter((name) => !kept.has(name));
    await Promise.all(old.map((name) => rm(exportFile(dataDir, name), { force: true })));
    return { files: old.length };
  };
}
