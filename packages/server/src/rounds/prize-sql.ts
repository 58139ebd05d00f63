/** Prizes of a pool. Their locks follow the pool's (pool.ts) and are taken in id order, like a draw's. */
import { formatCents } from "@red/contract/money";
import type { Prize } from "@red/contract/prize";
import { sql } from "kysely";
import type { Insertable, Selectable, Updateable } from "kysely";
import { anyId } from "#platform/any-id";
import type { Db, Tx } from "#platform/connection";
import type { Database } from "#platform/schema";

export type PrizeRow = Selectable<Database["prize"]>;

/** What no save of a prize sets by itself. */
type NotSaved = "drawn" | "version" | "deleted_at";

interface PrizeTotals {
  /** Σ award_total */
  readonly prize_total: number;
  /** Σ weight */
  readonly weight_total: number;
}

/** A row as it is on the wire; price as decimal text, the guaranteed flag as 1 or 0. */
export function toPrize(row: PrizeRow, pool_name: string): Prize {
  return {
    id: row.id,
    version: row.version,
    pool_name,
    award_name: row.award_name,
    award_price: formatCents(row.award_price_cents),
    weight: row.weight,
    award_total: row.award_total,
    drawn: row.drawn,
    remaining: row.award_total - row.drawn,
    floors: row.floors ? 1 : 0,
  };
}

function livePrizes(db: Db, pool_id: number) {
  return db.selectFrom("prize").where("pool_id", "=", pool_id).where("deleted_at", "is", null);
}

/** One page of a pool's prizes, oldest first, and the number of all. */
export async function selectPrizes(
  db: Db,
  pool_id: number,
  paging: { readonly page: number; readonly size: number },
): Promise<{ rows: PrizeRow[]; total: number }> {
  const { total } = await livePrizes(db, pool_id)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const rows = await livePrizes(db, pool_id)
    .selectAll()
    .orderBy("id")
    .limit(paging.size)
    .offset((paging.page - 1) * paging.size)
    .execute();
  return { rows, total };
}

/** Total count and total weight of a pool; zeros for an empty one. */
export async function selectPrizeTotals(db: Db, pool_id: number): Promise<PrizeTotals> {
  return await livePrizes(db, pool_id)
    .select([
      sql<number>`coalesce(sum(award_total), 0)::bigint`.as("prize_total"),
      sql<number>`coalesce(sum(weight), 0)::bigint`.as("weight_total"),
    ])
    .executeTakeFirstOrThrow();
}

/** One prize with the name of its pool; null when there is none or either was deleted. */
export async function selectPrize(
  db: Db,
  id: number,
): Promise<(PrizeRow & { readonly pool_name: string }) | null> {
  const row = await db
    .selectFrom("prize as z")
    .innerJoin("pool as p", "p.id", "z.pool_id")
    .selectAll("z")
    .select("p.pool_name")
    .where("z.id", "=", anyId(id))
    .where("z.deleted_at", "is", null)
    .where("p.deleted_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

/** Locks all prizes of a locked pool in id order, waiting for the draws that hold them. */
export async function lockPrizes(tx: Tx, pool_id: number): Promise<PrizeRow[]> {
  return await livePrizes(tx, pool_id).selectAll().orderBy("id").forUpdate().execute();
}

/** What an import writes of a prize. */
export type PrizeValues = Omit<Insertable<Database["prize"]>, "pool_id" | NotSaved>;

function prizesOfPools(db: Db, pool_ids: readonly number[]) {
  return db
    .selectFrom("prize")
    .selectAll()
    .where("pool_id", "=", sql<number>`any(${pool_ids}::integer[])`)
    .where("deleted_at", "is", null)
    .orderBy("id");
}

/** All prizes of these pools, oldest first. */
export async function selectPrizesOfPools(
  db: Db,
  pool_ids: readonly number[],
): Promise<PrizeRow[]> {
  return await prizesOfPools(db, pool_ids).execute();
}

/** Locks all prizes of these locked pools in id order, waiting for the draws that hold them. */
export async function lockPrizesOfPools(tx: Tx, pool_ids: readonly number[]): Promise<PrizeRow[]> {
  return await prizesOfPools(tx, pool_ids).forUpdate().execute();
}

/** Adds prizes to locked pools, in this order. */
export async function insertPrizes(
  tx: Tx,
  prizes: readonly (PrizeValues & { readonly pool_id: number })[],
): Promise<void> {
  await sql`
    insert into prize (pool_id, award_name, award_price_cents, weight, award_total, floors)
    select pool_id, award_name, award_price_cents, weight, award_total, floors
    from unnest(${prizes.map((prize) => prize.pool_id)}::integer[],
      ${prizes.map((prize) => prize.award_name)}::text[],
      ${prizes.map((prize) => prize.award_price_cents)}::bigint[],
      ${prizes.map((prize) => prize.weight)}::bigint[],
      ${prizes.map((prize) => prize.award_total)}::integer[],
      ${prizes.map((prize) => prize.floors)}::boolean[])
      with ordinality as x (pool_id, award_name, award_price_cents, weight, award_total, floors, at)
    order by at`.execute(tx);
}

/** Changes locked prizes and raises their versions; their names stay. */
export async function updatePrizes(
  tx: Tx,
  prizes: readonly (PrizeValues & { readonly id: number })[],
): Promise<void> {
  await sql`
    update prize z set award_price_cents = x.award_price_cents, weight = x.weight,
      award_total = x.award_total, floors = x.floors, version = z.version + 1
    from unnest(${prizes.map((prize) => prize.id)}::integer[],
      ${prizes.map((prize) => prize.award_price_cents)}::bigint[],
      ${prizes.map((prize) => prize.weight)}::bigint[],
      ${prizes.map((prize) => prize.award_total)}::integer[],
      ${prizes.map((prize) => prize.floors)}::boolean[])
      as x (id, award_price_cents, weight, award_total, floors)
    where z.id = x.id`.execute(tx);
}

/** Adds a prize to a locked pool. */
export async function insertPrize(
  tx: Tx,
  values: Omit<Insertable<Database["prize"]>, NotSaved>,
): Promise<PrizeRow> {
  return await tx.insertInto("prize").values(values).returningAll().executeTakeFirstOrThrow();
}

/** Changes a locked prize and raises its version. */
export async function updatePrize(
  tx: Tx,
  id: number,
  values: Omit<Updateable<Database["prize"]>, "pool_id" | NotSaved>,
): Promise<PrizeRow> {
  return await tx
    .updateTable("prize")
    .set(values)
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Copies the prizes of one locked pool into another, in the same order and with nothing drawn. */
export async function copyPrizes(tx: Tx, from_pool_id: number, to_pool_id: number): Promise<void> {
  await tx
    .insertInto("prize")
    .columns(["pool_id", "award_name", "award_price_cents", "weight", "award_total", "floors"])
    .expression(
      livePrizes(tx, from_pool_id)
        .select([
          sql<number>`${to_pool_id}::integer`.as("pool_id"),
          "award_name",
          "award_price_cents",
          "weight",
          "award_total",
          "floors",
        ])
        .orderBy("id"),
    )
    .execute();
}

/** Takes a locked prize out of its pool: it is drawn no more, its records stay. */
export async function markPrizeDeleted(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable("prize")
    .set({ deleted_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}
