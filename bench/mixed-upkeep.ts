/** The server's background work as `mixed` measures it: how late sealing is, what it costs, and what is left to do. */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { idAt, SLOTS } from "../packages/server/src/platform/db/time-ids.ts";
import { sealLateRecords, sealRecords } from "../packages/server/src/evidence/seal-records.ts";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { cpuOf, IS_SHORT, statOf } from "./report.ts";

/** How often and how far the server's sealer looks back for late commits (seal-job.ts). */
const LOOK_EVERY_MS = 60_000;
const LOOK_BACK_MS = 180_000;

interface Sealing {
  /** Age of the oldest unsealed record. */
  readonly lag: number;
  readonly last_block: number;
}

export async function selectSealing(db: Db): Promise<Sealing> {
  const { rows } = await sql<Sealing>`
    select coalesce((select (${idAt(sql`clock_timestamp()`)} - id) / ${sql.lit(SLOTS * 1_000)}::float8
        from draw_record where id > (select max(last_id) from seal) order by id limit 1), 0) as lag,
      (select max(no) from seal) as last_block`.execute(db);
  const [found] = rows;
  if (found === undefined) {
    throw new Error("no row of one query");
  }
  return found;
}

/** Number of payouts without an answer. Reads all payouts: do not call it during a run. */
export async function countPayoutsLeft(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from payout where state in ('queued', 'sending', 'unknown')`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Watches until `until`; answers the greatest age of an unsealed record after `warmMs`. */
export async function watchSealing(db: Db, warmMs: number, until: number): Promise<number> {
  const from = performance.now() + warmMs;
  let most = 0;
  while (performance.now() < until) {
    const { lag } = await selectSealing(db);
    most = performance.now() < from ? 0 : Math.max(most, lag);
    await sleep(1_000);
  }
  return most;
}

/** Waits until every payout has been answered and every record is sealed. */
export async function untilDrained(db: Db): Promise<void> {
  // The short form does not wait for records to settle.
  const mostLag = IS_SHORT ? 15 : 0;
  while ((await countPayoutsLeft(db)) > 0 || (await selectSealing(db)).lag > mostLag) {
    await sleep(200);
  }
}

/**
 * Seals `blocks`, the last ones of the chain, once more on the only connection of `db`, with the looks back of `forMs`.
 * Answers the seconds of CPU of this process and of the database's backend.
 */
export async function sealAgain(
  db: Db,
  blocks: { readonly first: number; readonly last: number },
  forMs: number,
): Promise<number> {
  const { rows: counts } = await sql<{ count: number }>`
    with gone as (delete from seal where no >= ${blocks.first} returning no, cardinality(log_ids) as count)
    select count from gone where no <= ${blocks.last} order by no`.execute(db);
  await sql`vacuum analyze seal`.execute(db);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const pid = String(rows[0]?.pid);
  const before = { node: process.cpuUsage(), backend: cpuOf(statOf(pid)) };
  for (const { count } of counts) {
    await inTransaction(db, (tx) => sealRecords(tx, 0, count));
  }
  for (let looks = 0; looks < forMs / LOOK_EVERY_MS; looks += 1) {
    await sealLateRecords(db, LOOK_BACK_MS);
  }
  const { user, system } = process.cpuUsage(before.node);
  return (user + system) / 1e6 + cpuOf(statOf(pid)) - before.backend;
}
