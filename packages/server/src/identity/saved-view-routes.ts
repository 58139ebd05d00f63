/** Views of lists: each operator lists, adds and removes their own (behaviour §11). */
import { AppError } from "@red/contract/errors";
import { VIEWS_MAX } from "@red/contract/saved-view";
import type { savedViewRoutes } from "@red/contract/saved-view";
import { anyId } from "#platform/any-id";
import { insertAudit } from "#platform/audit";
import type { Db } from "#platform/connection";
import type { Handlers, Operator } from "#platform/handlers";
import { sql } from "kysely";

function idOf(operator: Operator | null): number {
  if (operator === null) {
    throw new AppError("signed_out");
  }
  return operator.id;
}

function viewsOf(db: Db, operator: Operator | null) {
  return db.selectFrom("saved_view").where("operator_id", "=", idOf(operator));
}

export const savedViewHandlers: Handlers<typeof savedViewRoutes> = {
  async list({ db, operator, query }) {
    const content = await viewsOf(db, operator)
      .select(["id", "view_name", "search"])
      .where("page", "=", query.page)
      .orderBy("view_name")
      .execute();
    return { data: { content, total: content.length } };
  },

  async save({ tx, operator, actor, body }) {
    const operator_id = idOf(operator);
    // One at a time, so that two calls cannot pass the limit together.
    await sql`select from operator where id = ${operator_id} for no key update`.execute(tx);
    const views = await viewsOf(tx, operator).select("id").execute();
    if (views.length >= VIEWS_MAX) {
      throw new AppError("views_too_many", { max: VIEWS_MAX });
    }
    const { id } = await tx
      .insertInto("saved_view")
      .values({ operator_id, ...body })
      .returning("id")
      .executeTakeFirstOrThrow();
    const object = { object_type: "saved_view", object_id: id };
    await insertAudit(tx, actor, { action: "create_saved_view", ...object, after: body });
    return { data: null, msg: "added" };
  },

  async remove({ tx, operator, actor, params }) {
    const before = await tx
      .deleteFrom("saved_view")
      .where("operator_id", "=", idOf(operator))
      .where("id", "=", anyId(params.id))
      .returning(["page", "view_name", "search"])
      .executeTakeFirst();
    if (before === undefined) {
      throw new AppError("view_not_found");
    }
    const object = { object_type: "saved_view", object_id: params.id };
    await insertAudit(tx, actor, { action: "delete_saved_view", ...object, before });
    return { data: null, msg: "deleted" };
  },
};
