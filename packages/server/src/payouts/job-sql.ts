/**
 * Stores jobs and the outcomes of their payouts (behaviour §6). Until an outcome is stored in the job's row,
 * readers use the current state of the payout. `noteOutcomes` stores the outcome once the payout is settled; a
 * later job stores the outcome before the job changes the payout.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { JOB_DAYS } from "@red/contract/records/job";
import type { JobRow, jobRoutes } from "@red/contract/records/job";
import type { Received } from "@red/contract/platform/route";
import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import { oneRow } from "#platform/db/one-row";
import type { Database } from "#platform/db/schema";
import { inPortions } from "#platform/upkeep-job";

export interface JobRecord extends Selectable<Database["job"]> {
  /** The job's payouts by outcome. `failed` counts the payouts that a retry would include. */
  readonly sums: readonly (Pick<JobRow, "outcome" | "reason"> & {
    count: number;
    failed: number;
  })[];
}

/**
 * SQL: the rows of jobs as `r`, with log_id, outcome and reason. `failed` tells whether a retry would include the
 * payout.
 */
const ROWS = sql`
  select r.log_id, o.outcome, o.reason,
    o.outcome = p.state and o.outcome = case j.kind when 'reissue' then 'refused' else 'check' end as failed
  from job_row r
  join payout p on p.log_id = r.log_id
  cross join lateral (
    select coalesce(r.outcome, case when p.state in ('queued', 'sending') then 'under_way' else p.state end) as outcome,
      case when r.outcome is not null then r.reason when p.state = 'refused' then p.fail_reason end as reason
  ) o
  where r.job_id = j.id`;

async function note(tx: Tx, isMeant: RawBuilder<unknown>): Promise<void> {
  await sql`
    update job_row r set outcome = p.state, reason = case p.state when 'refused' then p.fail_reason end
    from payout p
    where p.log_id = r.log_id and r.outcome is null and p.state in ('paid', 'refused', 'check', 'closed')
      and ${isMeant}`.execute(tx);
}

/**
 * Starts a job over locked payouts and returns its id. Call it before the payouts change, because it stores their
 * present state as the outcome of their previous job.
 */
export async function startJob(
  tx: Tx,
  kind: "reissue" | "ask",
  operator_id: number,
  log_ids: readonly number[],
): Promise<number> {
  await note(tx, sql`r.log_id = any(${log_ids}::bigint[])`);
  const job = tx.insertInto("job").values({ operator_id, kind });
  const { id } = await job.returning("id").executeTakeFirstOrThrow();
  await sql`insert into job_row (job_id, log_id)
    select ${id}::bigint, unnest(${log_ids}::bigint[])`.execute(tx);
  return id;
}

const NOW = sql<Date>`clock_timestamp()`;
/**
 * Lease of a process that writes an export file. The process renews the lease every second; after 30 seconds
 * without a renewal it counts as dead.
 */
const LEASE = sql<Date>`now() + interval '30 seconds'`;

/**
 * Counts the operator's open exports and the exports started in the last minute. Locks the operator, so that
 * parallel calls count one after another.
 */
export async function countExports(tx: Tx, operator_id: number) {
  await sql`select from operator where id = ${operator_id} for no key update`.execute(tx);
  const { rows } = await sql<{ open: number; started: number }>`
    select count(*) filter (where ended_at is null and lease_until > ${NOW}) as open,
      count(*) filter (where started_at > ${NOW} - interval '1 minute') as started
    from job where operator_id = ${operator_id} and kind = 'export'`.execute(tx);
  return oneRow(rows);
}

/** Starts an export and returns its id. `query` is JSON. */
export async function insertExport(
  tx: Tx,
  made_of: { readonly operator_id: number; readonly path: string; readonly query: string },
): Promise<number> {
  const job = tx.insertInto("job").values({ ...made_of, kind: "export", lease_until: LEASE });
  return (await job.returning("id").executeTakeFirstOrThrow()).id;
}

/**
 * Stores the progress of an open export, renews its lease, and ends the export if `ends`. Returns false if the
 * export is no longer open.
 */
export async function noteExport(
  db: Db,
  id: number,
  { ends, ...head }: Pick<JobRecord, "rows" | "file_name" | "fault"> & { readonly ends: boolean },
): Promise<boolean> {
  const values = { ...head, ended_at: ends ? NOW : null, lease_until: LEASE };
  const open = db.updateTable("job").set(values).where("id", "=", id).where("ended_at", "is", null);
  const { numUpdatedRows } = await open.executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Marks the operator's ended jobs as read. A job that was marked before keeps its first time. */
export async function updateSeen(
  tx: Tx,
  operator_id: number,
  ids: readonly number[],
): Promise<void> {
  const seen = tx.updateTable("job").set({ seen_at: NOW }).where("operator_id", "=", operator_id);
  const ended = seen.where("id", "in", ids).where("ended_at", "is not", null);
  await ended.where("seen_at", "is", null).execute();
}

/** Number of tries, ten per second: one minute in total. */
const KNOWN_TRIES = 600;

/**
 * Waits until this database, which may be a lagging standby, contains the job. From then on it also contains
 * every earlier erasure. Throws after a minute.
 */
export async function untilKnown(db: Db, id: number, signal: AbortSignal): Promise<void> {
  for (let left = KNOWN_TRIES; left > 0; left -= 1) {
    const job = await db.selectFrom("job").select("id").where("id", "=", id).executeTakeFirst();
    if (job !== undefined) {
      return;
    }
    await sleep(100, undefined, { signal });
  }
  throw new Error("the standby is more than a minute behind");
}

/**
 * Stores the outcomes of settled payouts. Ends each job whose payouts are all settled, and each export whose
 * process is dead.
 */
export async function noteOutcomes(tx: Tx): Promise<void> {
  await note(tx, sql`true`);
  await sql`
    update job j set ended_at = clock_timestamp(), file_name = null,
      fault = case j.kind when 'export' then 'job_cut_off' end
    where j.ended_at is null and case j.kind when 'export' then j.lease_until < now()
      else not exists (select from job_row r where r.job_id = j.id and r.outcome is null) end`.execute(
    tx,
  );
}

/** Returns the operator's jobs, newest first. With `id`, returns only that job. */
export async function selectJobs(
  db: Db,
  operator_id: number,
  { page, size, id = null }: { page: number; size: number; id?: number | null },
): Promise<JobRecord[]> {
  const { rows } = await sql<JobRecord>`
    select j.*, coalesce(s.sums, '[]') as sums
    from job j
    left join lateral (
      select json_agg(x) as sums from (
        select outcome, reason, count(*) as count, count(*) filter (where failed) as failed
        from (${ROWS}) r group by 1, 2 order by count(*) desc
      ) x
    ) s on true
    where j.operator_id = ${operator_id}::bigint and (${id}::bigint is null or j.id = ${id}::bigint)
    order by j.id desc limit ${size} offset ${(page - 1) * size}`.execute(db);
  return rows;
}

/**
 * Returns the operator's newest jobs, the number of all jobs, and the number of ended jobs that the operator has
 * not read.
 */
export async function newest(db: Db, operator_id: number, paging = { page: 1, size: 10 }) {
  const rows = await selectJobs(db, operator_id, paging);
  const counts = await sql<{ total: number; unseen: number }>`
    select count(*) as total, count(*) filter (where ended_at is not null and seen_at is null) as unseen
    from job where operator_id = ${operator_id}::bigint`.execute(db);
  return { rows, ...(counts.rows[0] ?? { total: 0, unseen: 0 }) };
}

/** Returns a page of a job's payouts, newest record first, and the total number of payouts. Amounts are in cents. */
export async function selectJobRows(
  db: Db,
  id: number,
  { outcome, page, size }: Received<typeof jobRoutes.rows>["query"],
) {
  const meant = sql`
    from job j cross join lateral (${ROWS}) r
    where j.id = ${id}::bigint and ${outcome === undefined ? sql`true` : sql`r.outcome = ${outcome}`}`;
  const { rows } = await sql<Omit<JobRow, "award_price"> & { cents: number }>`
    select r.log_id, y.user_name, d.award_name, d.award_price_cents as cents, p.trans_sn, r.outcome, r.reason
    from (select r.* ${meant} order by r.log_id desc limit ${size} offset ${(page - 1) * size}) r
    join payout p on p.log_id = r.log_id
    join draw_record d on d.id = p.log_id and d.rounds_id = p.rounds_id
    join player y on y.player_key = p.player_key
    order by r.log_id desc`.execute(db);
  const all = await sql<{ total: number }>`select count(*) as total ${meant}`.execute(db);
  return { rows, total: all.rows[0]?.total ?? 0 };
}

/** Returns the ids of the payouts that a retry of the job would include. */
export async function selectFailed(db: Db, id: number): Promise<number[]> {
  const { rows } = await sql<{ log_id: number }>`
    select r.log_id from job j cross join lateral (${ROWS}) r where j.id = ${id}::bigint and r.failed`.execute(
    db,
  );
  return rows.map(({ log_id }) => log_id);
}

/** Background task: deletes jobs that ended more than JOB_DAYS ago. */
export async function deleteOldJobs(db: Db, signal: AbortSignal) {
  const portion = async (tx: Tx, limit: number) => {
    const { numAffectedRows = 0n } = await sql`
      delete from job where id in (
        select id from job where ended_at < now() - make_interval(days => ${JOB_DAYS}::int) limit ${limit})`.execute(
      tx,
    );
    return Number(numAffectedRows);
  };
  return { jobs: await inPortions(db, portion, signal) };
}
