/** Kept versions of pools (behaviour §3). */
import type { Db } from "#platform/connection";
import type { VersionPrize } from "#platform/schema";

export interface PoolVersionRow {
  readonly version: number;
  readonly prizes: readonly VersionPrize[];
  readonly saved_by: string | null;
  readonly created_at: Date;
}

/** The prizes of a version; null when there is none. */
export async function selectVersion(
  db: Db,
  pool_id: number,
  version: number,
): Promise<readonly VersionPrize[] | null> {
  const row = await versionsOf(db, pool_id).where("version", "=", version).executeTakeFirst();
  return row?.prizes ?? null;
}

/** A page of versions, newest first, with the one before the last of them, and the number of all. */
export async function selectPoolVersions(
  db: Db,
  pool_id: number,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<{ rows: PoolVersionRow[]; total: number }> {
  const { total } = await db
    .selectFrom("pool_version")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("pool_id", "=", pool_id)
    .executeTakeFirstOrThrow();
  const rows = await versionsOf(db, pool_id)
    .orderBy("version", "desc")
    .limit(size + 1)
    .offset((page - 1) * size)
    .execute();
  return { rows, total };
}

function versionsOf(db: Db, pool_id: number) {
  return db
    .selectFrom("pool_version")
    .select(["version", "prizes", "saved_by", "created_at"])
    .where("pool_id", "=", pool_id);
}
