/**
 * A job is a task that an operator started, with its outcomes (behaviour §6, §11). The server keeps a job for
 * JOB_DAYS days.
 */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { eventExportRoutes } from "#events/event-export";
import { byId, paging } from "#platform/fields";
import { PAGE_SIZE_MAX } from "#platform/limits";
import { plain, walletWords } from "#platform/marks";
import { idList, recordPick, recordRoutes } from "./record.ts";
import { operator, route, unattended } from "#platform/route";
import { ticketRoutes } from "#identity/ticket";

export const JOB_DAYS = 30;

/** Kinds of jobs: send payouts again, query payouts again, export a file. */
export const JOB_KINDS = ["reissue", "ask", "export"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * Returns the permission that a retry needs in addition to record.read. The first start of the job needed the
 * same permission.
 */
export const retryRight = (kind: JobKind) => (kind === "export" ? "player.read" : "record.pay");

/** Up to this number of rows the console exports directly, in about a second. A longer file needs a job. */
export const EXPORT_AT_ONCE_MAX = 100_000;

/** The exports that can run as a job: records, and deposits and bets. */
export const JOB_EXPORTS = [recordRoutes.exportFile, eventExportRoutes.exportFile] as const;

/**
 * The first outcome of a payout after the job took the payout. `under_way` means queued or sending. The first
 * two outcomes are not final.
 */
export const JOB_OUTCOMES = ["under_way", "unknown", "paid", "refused", "check", "closed"] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

export const job = z.object({
  id: z.int(),
  kind: z.enum(JOB_KINDS),
  /** Number of payouts, or of rows in the file; null while the job writes the file. */
  total: z.nullable(z.int()),
  /** Number of payouts with a known outcome, or of written rows. */
  done: z.int(),
  /** `running` while a payout is under way or unknown. Only an export can be `failed`. */
  status: z.enum(["running", "done", "failed"]),
  /** Number of payouts by outcome, in the order of JOB_OUTCOMES, without zeros. Empty for an export. */
  outcomes: z.array(z.object({ outcome: z.enum(JOB_OUTCOMES), count: z.int() })),
  /** Number of refused payouts by the wallet's reason ("" if there is no reason), most frequent first. */
  reasons: z.array(z.object({ reason: walletWords(), count: z.int() })),
  /** What `retry` would repeat: the number of refused payouts and payouts to check, or 1 for a failed file. */
  retryable: z.int(),
  /** Null if there is no file, or if the caller may no longer read the file. */
  file_name: z.nullable(plain()),
  /** Why the file failed, in the caller's language. */
  fault: z.nullable(plain()),
  started_at: plain(),
  ended_at: z.nullable(plain()),
  seen: z.boolean(),
});
export type Job = z.output<typeof job>;

export const jobRow = z.extend(z.omit(recordPick, { payout_state: true }), {
  trans_sn: plain(),
  outcome: z.enum(JOB_OUTCOMES),
  /** The wallet's reason; null unless the wallet refused the payout. */
  reason: z.nullable(walletWords()),
});
export type JobRow = z.output<typeof jobRow>;

const PATHS = JOB_EXPORTS.map(({ path }) => path);
/** An export contains either records, or players' deposits and bets. Each needs its own permission. */
const EXPORTING = ["record.read", "player.read"] as const;
const started = z.object({ job_id: z.int() });

export const jobRoutes = {
  list: route({
    call: "GET /gred/api/job/list",
    summary: "The operator's own jobs, newest first; unseen counts those that ended since",
    ...unattended("signed_in", "read"),
    query: z.object(paging(PAGE_SIZE_MAX)),
    data: z.extend(listOf(job), { unseen: z.int() }),
  }),
  rows: route({
    call: "GET /gred/api/job/{id}/rows",
    summary: "The payouts of a job with their outcomes, newest record first",
    ...operator("record.read", "read"),
    params: byId,
    query: z.object({
      outcome: z.optional(z.enum(JOB_OUTCOMES, { error: "not_in_set" })),
      ...paging(PAGE_SIZE_MAX),
    }),
    data: listOf(jobRow),
  }),
  retry: route({
    call: "POST /gred/api/job/{id}/retry",
    summary: "Do again what failed, as a new job: payouts with record.pay, a file with player.read",
    ...operator("record.read", "own", "risk"),
    params: byId,
    data: z.extend(started, {
      taken: z.int(),
      refused: z.array(z.object({ log_id: z.int(), reason: plain() })),
    }),
  }),
  seen: route({
    call: "PUT /gred/api/job/seen",
    summary: "Note that the operator has seen how these jobs ended",
    ...operator("signed_in", "write", { none: "the operator's own list" }),
    body: z.strictObject({ ids: idList("required") }),
    data: z.object({ unseen: z.int() }),
  }),
  exportFile: route({
    call: "POST /gred/api/job/export",
    summary: "Make the file of an export's address as a job; path and query as for a ticket",
    ...operator(EXPORTING, "own", { none: "the operator's own file" }),
    body: z.strictObject({
      path: z.enum(PATHS, { error: "not_in_set" }),
      query: ticketRoutes.create.body.shape.query,
    }),
    data: started,
  }),
  file: route({
    call: "GET /gred/api/job/{id}/file",
    summary: "The file of a job that is done",
    ...operator(EXPORTING, "download"),
    params: byId,
    query: z.object({}),
  }),
};
