/**
 * What is stopped (behaviour §5, §6). A draw and a claim of payouts hold their switches shared, from
 * before they look until they have committed (stop-switch.sql); whoever changes a
 * switch holds it alone. So nothing commits after a stop was answered, and no row is hot.
 */
import { formatDateTime } from "@red/contract/datetime";
import type { Stop, StopName } from "@red/contract/stop-switch";
import { sql } from "kysely";
import type { Db, Tx } from "#platform/connection";

/** One switch. */
export type StopKey =
  | { readonly name: Exclude<StopName, "pool">; readonly pool_id: null }
  | { readonly name: "pool"; readonly pool_id: number };

interface StopRow {
  readonly name: StopName;
  readonly pool_id: number | null;
  readonly pool_name: string | null;
  readonly stopped_at: Date;
  readonly stopped_by: string;
  readonly reason: string | null;
}

/** A row as it is on the wire: the time on the clocks of `timeZone`. */
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

/** All that is stopped, the longest first; the switch of a pool that was deleted is left out. */
export async function selectStops(db: Db): Promise<StopRow[]> {
  return await stops(db)
    .where((row) => row.or([row("s.pool_id", "is", null), row("p.id", "is not", null)]))
    .execute();
}

/** Which of these are stopped. */
export async function selectStopsOf(db: Db, keys: readonly StopKey[]): Promise<StopRow[]> {
  const rows = await stops(db).execute();
  return rows.filter((row) =>
    keys.some(({ name, pool_id }) => row.name === name && row.pool_id === pool_id),
  );
}

/**
 * Takes the switches for a change: waits for the draws and claims in flight, and holds those back that
 * come meanwhile. Draws before payouts, so that no two wait for each other in a circle.
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

/** Stops what is locked; what was stopped before stays as it was. */
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

/** Lets what is locked go on. */
export async function deleteStops(tx: Tx, keys: readonly StopKey[]): Promise<void> {
  for (const { name, pool_id } of keys) {
    await tx
      .deleteFrom("stop_switch")
      .where("name", "=", name)
      .where("pool_id", "is not distinct from", pool_id)
      .execute();
  }
}

/** Are payouts stopped? It stays so until the transaction ends. */
export async function sharePayoutSwitch(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ stopped: boolean }>`select payouts_stopped() as stopped`.execute(tx);
  return rows[0]?.stopped ?? false;
}
