/**
 * Prize pools. The row lock of a pool protects the whole pool: every change of prizes takes it
 * first, then the prize locks by id. A round that starts to use the pool takes a share lock.
 * activity-sql.ts describes the lock order of pools, rounds and prizes.
 */
import { AppError } from "@red/contract/platform/errors";
import { WEIGHT_SUM_MAX } from "@red/contract/platform/limits";
import type { Pool } from "@red/contract/pools/pool";
import { sql } from "kysely";
import { anyId } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import { selectPrizeTotals, VERSION_PRIZE } from "./prize-sql.ts";

export interface LockedPool {
  readonly id: number;
  readonly pool_name: string;
  readonly version: number;
  /** True if this transaction inserted the pool. The first version is then not written yet. */
  readonly is_new: boolean;
}

/** SQL: the number of rows in the table that belong to pool `p` and are not deleted. */
const countIn = (table: "prize" | "activity") => sql<number>`(
  select count(*) from ${sql.table(table)} x where x.pool_id = p.id and x.deleted_at is null)`;

function listedPools(db: Db) {
  return db
    .selectFrom("pool as p")
    .select([
      "p.id",
      "p.pool_name",
      countIn("prize").as("prizes"),
      countIn("activity").as("rounds"),
    ])
    .select(sql<boolean>`exists (select from stop_switch s where s.pool_id = p.id)`.as("stopped"))
    .where("p.deleted_at", "is", null);
}

export async function selectPools(db: Db): Promise<Pool[]> {
  return await listedPools(db).orderBy("p.id").execute();
}

export async function selectPool(db: Db, id: number): Promise<Pool | null> {
  return (await listedPools(db).where("p.id", "=", anyId(id)).executeTakeFirst()) ?? null;
}

export async function selectPoolNames(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom("pool")
    .select("pool_name")
    .where("deleted_at", "is", null)
    .execute();
  return new Set(rows.map(({ pool_name }) => pool_name));
}

function livePools(db: Db) {
  return db
    .selectFrom("pool")
    .select(["id", "pool_name", "version"])
    .where("deleted_at", "is", null)
    .orderBy("id");
}

const poolsOfNames = (db: Db, names: readonly string[]) =>
  livePools(db).where("pool_name", "=", sql<string>`any(${names}::text[])`);

export async function selectPoolId(db: Db, pool_name: string): Promise<number | null> {
  return (await poolsOfNames(db, [pool_name]).executeTakeFirst())?.id ?? null;
}

/**
 * Takes a share lock, so nobody can delete the pool while a round starts to use it. Returns null if
 * no pool has this name.
 */
export async function sharePoolByName(tx: Tx, pool_name: string): Promise<number | null> {
  return (await poolsOfNames(tx, [pool_name]).forShare().executeTakeFirst())?.id ?? null;
}

export async function selectVersion(db: Db, id: number): Promise<number | null> {
  return (await livePools(db).where("id", "=", anyId(id)).executeTakeFirst())?.version ?? null;
}

/** Locks a pool before a change of the pool or its prizes. Returns null if the pool does not exist or is deleted. */
export async function lockPool(tx: Tx, id: number): Promise<LockedPool | null> {
  const row = await livePools(tx).where("id", "=", anyId(id)).forUpdate().executeTakeFirst();
  return row === undefined ? null : { ...row, is_new: false };
}

export async function selectPoolsByName(db: Db, names: readonly string[]) {
  return await poolsOfNames(db, names).execute();
}

/**
 * Locks the pools with these names and inserts the missing pools. Existing pools come first in id
 * order, as in a copy of a pool, so two transactions cannot deadlock.
 */
export async function lockOrInsertPools(tx: Tx, names: readonly string[]): Promise<LockedPool[]> {
  const known = await poolsOfNames(tx, names).forUpdate().execute();
  const pools: LockedPool[] = known.map((pool) => ({ ...pool, is_new: false }));
  const locked = new Set(known.map((pool) => pool.pool_name));
  for (const pool_name of names.filter((one) => !locked.has(one)).toSorted()) {
    // If another transaction is inserting the same pool, the empty update waits for it and locks
    // its row. A row that this statement inserted has xmax 0.
    const pool = await tx
      .insertInto("pool")
      .values({ pool_name })
      .onConflict((conflict) =>
        conflict
          .column("pool_name")
          .where("deleted_at", "is", null)
          .doUpdateSet((eb) => ({ pool_name: eb.ref("excluded.pool_name") })),
      )
      .returning(["id", "pool_name", "version", sql<boolean>`xmax = 0`.as("is_new")])
      .executeTakeFirstOrThrow();
    pools.push(pool);
  }
  return pools;
}

/** Returns at most `count` versions of a pool, newest first, starting at version `last`. */
export async function selectPoolVersions(db: Db, pool_id: number, last: number, count: number) {
  return await db
    .selectFrom("pool_version")
    .select(["version", "prizes", "saved_by", "created_at"])
    .where("pool_id", "=", pool_id)
    .where("version", "<=", anyId(last))
    .orderBy("version", "desc")
    .limit(count)
    .execute();
}

/** Inserts an empty pool. A name already in use violates pool__name_unique. */
export async function insertPool(tx: Tx, pool_name: string): Promise<LockedPool> {
  const row = await tx
    .insertInto("pool")
    .values({ pool_name })
    .returning(["id", "pool_name", "version"])
    .executeTakeFirstOrThrow();
  return { ...row, is_new: true };
}

export async function updatePoolName(tx: Tx, id: number, pool_name: string): Promise<void> {
  await tx.updateTable("pool").set({ pool_name }).where("id", "=", id).execute();
}

/** Marks a locked pool as deleted. Its name can be used again; its versions remain for the draw records. */
export async function markPoolDeleted(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable("pool")
    .set({ deleted_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

/**
 * Raises the version of a locked pool and stores its current prizes under that version, in id
 * order. Returns the version. Call it after every change of prizes: a draw record names its pool
 * version (behaviour §3), and a draw decided on an older version is decided again. A pool inserted
 * in this transaction keeps version 1. Throws weight_sum_too_large.
 */
export async function savePoolVersion(tx: Tx, pool: LockedPool, saved_by: string): Promise<number> {
  const { id, is_new } = pool;
  const { weight_total } = await selectPrizeTotals(tx, id);
  if (weight_total > WEIGHT_SUM_MAX) {
    throw new AppError("weight_sum_too_large");
  }
  const version = is_new ? pool.version : pool.version + 1;
  await tx.updateTable("pool").set({ version }).where("id", "=", id).execute();
  await sql`
    insert into pool_version (pool_id, version, saved_by, prizes)
    values (${id}, ${version}, ${saved_by}, coalesce((
      select jsonb_agg(${VERSION_PRIZE} order by z.id)
      from prize z where z.pool_id = ${id} and z.deleted_at is null
    ), '[]'::jsonb))`.execute(tx);
  return version;
}
