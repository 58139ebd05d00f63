/**
 * Stop switches (behaviour §5, §6). A draw or a payout claim takes a shared lock before it reads and keeps
 * the lock until it commits (stopped.sql); changing a switch takes the exclusive lock. So nothing commits
 * after the response to a stop, and no row becomes a hot spot.
 */
import { formatDateTime } from "@red/contract/platform/datetime";
import type { Stop, StopName } from "@red/contract/stops/stop-switch";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/db/connection";
import { anyId } from "#platform/db/sql-parts";

export type StopKey =
  | { readonly name: Exclude<StopName, "pool">; readonly pool_id: null }
  | { readonly name: "pool"; readonly pool_id: number };

interface StopRow extends Omit<Stop, "stopped_at"> {
  readonly stopped_at: Date;
}

/** Converts a row to its API form, with the time in `timeZone`. */
export function toStop(row: StopRow, timeZone: string): Stop {
  return { ...row, stopped_at: formatDateTime(row.stopped_at, timeZone) };
}

function stops(db: Db) {
  return db
    .selectFrom("stop_switch as s")
    .leftJoin("pool as p", (join) =>
      join.onRef("p.id", "=", "s.pool_id").on("p.deleted_at", "is", null),
    )
    .select(["s.name", "s.pool_id", "p.pool_name", "s.stopped_at", "s.stopped_by", "s.reason"])
    .orderBy("s.stopped_at")
    .orderBy("s.name");
}

/** Returns all stops, oldest first, without switches of deleted pools. */
export async function selectStops(db: Db): Promise<StopRow[]> {
  return await stops(db)
    .where((row) => row.or([row("s.pool_id", "is", null), row("p.id", "is not", null)]))
    .execute();
}

export async function selectStopsOf(db: Db, keys: readonly StopKey[]): Promise<StopRow[]> {
  const rows = await stops(db).execute();
  return rows.filter((row) =>
    keys.some(({ name, pool_id }) => row.name === name && row.pool_id === pool_id),
  );
}

/** Returns false also for a deleted pool. */
export async function hasPool(db: Db, id: number): Promise<boolean> {
  const pool = db
    .selectFrom("pool")
    .select("id")
    .where("id", "=", anyId(id))
    .where("deleted_at", "is", null);
  return (await pool.executeTakeFirst()) !== undefined;
}

/**
 * Locks switches for a change: waits for running draws and payout claims, and blocks new ones. Locks draws
 * before payouts, so two changes cannot deadlock.
 */
export async function lockStopSwitches(tx: Tx, keys: readonly StopKey[]): Promise<void> {
  const locks = [
    { lock: "stop_switch draws", isNeeded: keys.some(({ name }) => name !== "payouts") },
    { lock: "stop_switch payouts", isNeeded: keys.some(({ name }) => name === "payouts") },
  ];
  for (const { lock } of locks.filter(({ isNeeded }) => isNeeded)) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  }
}

/** Inserts a stop for each locked key without a stop. An existing stop keeps its time and operator. */
export async function insertStops(
  tx: Tx,
  keys: readonly StopKey[],
  by: { readonly stopped_by: string; readonly reason: string | null },
): Promise<void> {
  await tx
    .insertInto("stop_switch")
    .values(keys.map((key) => ({ ...key, ...by })))
    .onConflict((conflict) => conflict.constraint("stop_switch__once").doNothing())
    .execute();
}

export async function deleteStops(tx: Tx, keys: readonly StopKey[]): Promise<void> {
  for (const { name, pool_id } of keys) {
    await tx
      .deleteFrom("stop_switch")
      .where("name", "=", name)
      .where("pool_id", "is not distinct from", pool_id)
      .execute();
  }
}

/** Returns whether payouts are stopped, and keeps a shared lock on the switch until the transaction ends. */
export async function sharePayoutSwitch(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ stopped: boolean }>`select payouts_stopped() as stopped`.execute(tx);
  return rows[0]?.stopped ?? false;
}
