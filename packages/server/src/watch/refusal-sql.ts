/** Draw calls that got no draw, by minute and reason. */
import type { ErrorKey } from "@red/contract/errors";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/connection";
import { inPortions } from "#platform/upkeep-job";

/** SQL: the present minute since 2020-01-01 UTC. */
export const THIS_MINUTE = sql`floor(extract(epoch from now() - '2020-01-01T00:00:00Z'::timestamptz) / 60)::bigint`;

export interface RefusalCount {
  readonly rounds_id: number;
  readonly reason: ErrorKey;
  readonly count: number;
}

/** The board shows an hour; a day is kept for whoever looks in the database. */
const KEPT_MINUTES = 1_440;

/** Adds to the present minute. A round that never was is left out. */
export async function addRefusals(db: Db, counts: readonly RefusalCount[]): Promise<void> {
  const rows = JSON.stringify(counts);
  // In one order, so that two processes cannot deadlock.
  await sql`
    insert into draw_refusal_minute as m (rounds_id, minute, reason, count)
    select c.rounds_id, ${THIS_MINUTE}, c.reason, c.count
    from jsonb_to_recordset(${rows}::jsonb) c (rounds_id bigint, reason text, count bigint)
    where exists (select from activity a where a.id = c.rounds_id)
    order by 1, 2, 3
    on conflict (rounds_id, minute, reason) do update set count = m.count + excluded.count`.execute(
    db,
  );
}

export interface RefusedMinute {
  readonly minute: number;
  readonly reason: ErrorKey;
  readonly count: number;
}

/** Of the minutes since 2020-01-01 UTC from this one on. */
export async function selectRefusals(
  db: Db,
  rounds_id: number,
  from: number,
): Promise<RefusedMinute[]> {
  const { rows } = await sql<RefusedMinute>`
    select minute, reason, count from draw_refusal_minute
    where rounds_id = ${rounds_id}::bigint and minute >= ${from}::bigint`.execute(db);
  return rows;
}

async function deleteOldRefusals(tx: Tx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from draw_refusal_minute where (rounds_id, minute, reason) in (
      select rounds_id, minute, reason from draw_refusal_minute
      where minute < ${THIS_MINUTE} - ${sql.lit(KEPT_MINUTES)} limit ${limit} for update skip locked)`.execute(
    tx,
  );
  return Number(numAffectedRows);
}

/** A chore of platform/upkeep-job.ts. */
export async function tidyRefusals(db: Db, signal: AbortSignal) {
  return { deleted: await inPortions(db, deleteOldRefusals, signal) };
}
