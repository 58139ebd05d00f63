/** Prizes of a pool. Lock prizes after their pool (pool-sql.ts) and in id order, as a draw does. */
import { formatCents } from "@red/contract/platform/money";
import type { Prize, PrizeForm, PrizeOnWire } from "@red/contract/pools/prize";
import { sql } from "kysely";
import type { Selectable } from "kysely";
import { anyId, countOf } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import type { Database, VersionPrize } from "#platform/db/schema";

export type PrizeRow = Selectable<Database["prize"]>;

/** The fields that an operator can set. */
export type PrizeValues = Omit<VersionPrize, "id">;
type PrizeColumn = keyof PrizeValues;

/** SQL type of each column of `PrizeValues`. The SQL that writes, copies and stores prizes is built from this table. */
const COLUMN_TYPES = {
  award_name: "text",
  award_price_cents: "bigint",
  weight: "bigint",
  award_total: "integer",
  floors: "boolean",
} as const satisfies Record<PrizeColumn, string>;

const COLUMNS = Object.keys(COLUMN_TYPES) as PrizeColumn[];

/** SQL: the JSON of the prize `z` in a pool version (`VersionPrize`). */
export const VERSION_PRIZE = sql`jsonb_build_object('id', z.id, ${sql.join(
  COLUMNS.map((column) => sql`${sql.lit(column)}, z.${sql.ref(column)}`),
)})`;

export function prizeValues(form: PrizeForm): PrizeValues {
  return {
    award_name: form.award_name,
    award_price_cents: form.award_price,
    weight: form.weight,
    award_total: form.award_total,
    floors: form.floors === 1,
  };
}

export function isSamePrize(one: PrizeValues, other: PrizeValues): boolean {
  return COLUMNS.every((column) => one[column] === other[column]);
}

/** Converts values to their API form: price as decimal text, guaranteed flag as 1 or 0. */
export function toPrizeValues(values: PrizeValues): PrizeOnWire {
  return {
    award_name: values.award_name,
    award_price: formatCents(values.award_price_cents),
    weight: values.weight,
    award_total: values.award_total,
    floors: values.floors ? 1 : 0,
  };
}

/** Returns the prize name and the values that differ, in API form. */
export function changedValues(one: PrizeValues, other: PrizeValues): Partial<PrizeOnWire> {
  const [was, is] = [toPrizeValues(one), toPrizeValues(other)];
  const differ = Object.entries(was).filter(
    ([key, value]) => key === "award_name" || is[key as keyof PrizeOnWire] !== value,
  );
  return Object.fromEntries(differ);
}

export function toPrize(row: PrizeRow, pool_name: string): Prize {
  const { id, version, drawn } = row;
  const remaining = row.award_total - drawn;
  return { id, version, pool_name, ...toPrizeValues(row), drawn, remaining };
}

function livePrizes(db: Db, pool_id: number) {
  return db.selectFrom("prize").where("pool_id", "=", pool_id).where("deleted_at", "is", null);
}

/**
 * Selects the prizes of the pools in id order: all prizes that are not deleted, and also the
 * deleted prizes with an id in `ids`.
 */
function prizesOfPools(db: Db, pool_ids: readonly number[], ids: readonly number[]) {
  return db
    .selectFrom("prize")
    .selectAll()
    .where("pool_id", "=", sql<number>`any(${pool_ids}::integer[])`)
    .where(sql<boolean>`(deleted_at is null or id = any(${ids}::integer[]))`)
    .orderBy("id");
}

export async function selectPrizes(
  db: Db,
  pool_id: number,
  paging: { readonly page: number; readonly size: number },
): Promise<{ rows: PrizeRow[]; total: number }> {
  const total = await countOf(livePrizes(db, pool_id));
  const rows = await livePrizes(db, pool_id)
    .selectAll()
    .orderBy("id")
    .limit(paging.size)
    .offset((paging.page - 1) * paging.size)
    .execute();
  return { rows, total };
}

export async function selectPrizeTotals(db: Db, pool_id: number) {
  return await livePrizes(db, pool_id)
    .select([
      sql<number>`coalesce(sum(award_total), 0)::bigint`.as("prize_total"),
      sql<number>`coalesce(sum(weight), 0)::bigint`.as("weight_total"),
    ])
    .executeTakeFirstOrThrow();
}

/** Returns a prize with the name of its pool, or null if the prize or the pool does not exist or is deleted. */
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

export async function selectPrizesOfPools(
  db: Db,
  pool_ids: readonly number[],
): Promise<PrizeRow[]> {
  return await prizesOfPools(db, pool_ids, []).execute();
}

/**
 * Locks the prizes of locked pools in id order, and also the deleted prizes with an id in `ids`.
 * Waits for draws that have locked these prizes.
 */
export async function lockPrizes(
  tx: Tx,
  pool_ids: readonly number[],
  ids: readonly number[] = [],
): Promise<PrizeRow[]> {
  return await prizesOfPools(tx, pool_ids, ids).forUpdate().execute();
}

/** SQL: a table `x` with the values of each prize, the column `key` (id or pool id) and the position `at`. */
function asTable<K extends "id" | "pool_id">(
  key: K,
  prizes: readonly (PrizeValues & Readonly<Record<K, number>>)[],
) {
  const arrays = COLUMNS.map(
    (column) => sql`${prizes.map((prize) => prize[column])}::${sql.raw(COLUMN_TYPES[column])}[]`,
  );
  return sql`
    unnest(${prizes.map((prize) => prize[key])}::integer[], ${sql.join(arrays)})
      with ordinality as x (${sql.join([sql.ref(key), ...COLUMNS.map((one) => sql.ref(one))])}, at)`;
}

export async function insertPrizes(
  tx: Tx,
  prizes: readonly (PrizeValues & { readonly pool_id: number })[],
): Promise<PrizeRow[]> {
  const columns = sql.join(["pool_id", ...COLUMNS].map((column) => sql.ref(column)));
  const { rows } = await sql<PrizeRow>`
    insert into prize (${columns})
    select ${columns} from ${asTable("pool_id", prizes)} order by at
    returning *`.execute(tx);
  return rows;
}

export async function updatePrizes(
  tx: Tx,
  prizes: readonly (PrizeValues & { readonly id: number })[],
): Promise<void> {
  const values = sql.join(COLUMNS.map((column) => sql`${sql.ref(column)} = x.${sql.ref(column)}`));
  await sql`
    update prize z set ${values}, version = z.version + 1
    from ${asTable("id", prizes)} where z.id = x.id`.execute(tx);
}

export async function updatePrize(
  tx: Tx,
  id: number,
  values: Partial<PrizeValues>,
): Promise<PrizeRow> {
  return await tx
    .updateTable("prize")
    .set(values)
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Copies the prizes of a locked pool to another pool in the same order. The copies have no drawn pieces. */
export async function copyPrizes(tx: Tx, from_pool_id: number, to_pool_id: number): Promise<void> {
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)));
  await sql`
    insert into prize (pool_id, ${columns})
    select ${to_pool_id}::integer, ${columns} from prize
    where pool_id = ${from_pool_id} and deleted_at is null order by id`.execute(tx);
}

/**
 * `deleted`: later draws cannot give the prize, its records remain. `nameless`: a temporary name,
 * whose first character cannot occur in a real name.
 */
const MARKS = {
  deleted: { deleted_at: sql<Date>`now()` },
  live: { deleted_at: null },
  nameless: { award_name: sql<string>`chr(1) || id` },
};

export async function markPrizes(
  tx: Tx,
  prizes: readonly Pick<PrizeRow, "id">[],
  mark: keyof typeof MARKS,
): Promise<void> {
  const ids = prizes.map(({ id }) => id);
  const marked = tx.updateTable("prize").set(MARKS[mark]);
  await marked.where("id", "=", sql<number>`any(${ids}::integer[])`).execute();
}
