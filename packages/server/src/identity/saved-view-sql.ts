/** Saved views of lists. Each view belongs to one operator. */
import { anyId } from "#platform/db/sql-parts";
import type { Db, Tx } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import { sql } from "kysely";
import type { Selectable } from "kysely";

type ViewRow = Pick<Selectable<Database["saved_view"]>, "page" | "view_name" | "search">;

/** Returns the operator's views of one list, sorted by name. */
export async function selectViews(db: Db, operator_id: number, page: string) {
  return await db
    .selectFrom("saved_view")
    .select(["id", "view_name", "search"])
    .where("operator_id", "=", operator_id)
    .where("page", "=", page)
    .orderBy("view_name")
    .execute();
}

/** Counts the views of all lists under a lock of the operator, so that two parallel calls cannot exceed the limit. */
export async function countViewsAlone(tx: Tx, operator_id: number): Promise<number> {
  await sql`select from operator where id = ${operator_id} for no key update`.execute(tx);
  const views = await tx
    .selectFrom("saved_view")
    .select("id")
    .where("operator_id", "=", operator_id)
    .execute();
  return views.length;
}

/** Returns the id. Violates `saved_view__name_unique` if the list already has a view of that name. */
export async function insertView(tx: Tx, operator_id: number, view: ViewRow): Promise<number> {
  const { id } = await tx
    .insertInto("saved_view")
    .values({ operator_id, ...view })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns the deleted view, or null if the operator has no such view. */
export async function deleteView(
  tx: Tx,
  operator_id: number,
  id: number,
): Promise<Omit<ViewRow, "search"> | null> {
  const removed = await tx
    .deleteFrom("saved_view")
    .where("operator_id", "=", operator_id)
    .where("id", "=", anyId(id))
    .returning(["page", "view_name"])
    .executeTakeFirst();
  return removed ?? null;
}
