/** Saved views of lists: each operator lists, adds and removes only their own views (behaviour §11). */
import { AppError, found } from "@red/contract/platform/errors";
import { VIEWS_MAX } from "@red/contract/identity/saved-view";
import type { savedViewRoutes } from "@red/contract/identity/saved-view";
import { insertAudit } from "#platform/audit";
import { signedIn } from "#platform/handlers";
import type { Handlers } from "#platform/handlers";
import { referText } from "#platform/player-names";
import { countViewsAlone, deleteView, insertView, selectViews } from "./saved-view-sql.ts";

export const savedViewHandlers: Handlers<typeof savedViewRoutes> = {
  async list({ db, operator, query }) {
    const content = await selectViews(db, signedIn(operator).id, query.page);
    return { data: { content, total: content.length } };
  },

  async save({ tx, operator, actor, body }) {
    const { id: operator_id } = signedIn(operator);
    if ((await countViewsAlone(tx, operator_id)) >= VIEWS_MAX) {
      throw new AppError("views_too_many", { max: VIEWS_MAX });
    }
    const id = await insertView(tx, operator_id, body);
    // The audit row leaves out the filters, which may name a player (evidence/erase-player-sql.ts).
    const { page } = body;
    const view_name = await referText(tx, body.view_name);
    const object = { object_type: "saved_view", object_id: id, after: { page, view_name } };
    await insertAudit(tx, actor, { action: "create_saved_view", ...object });
    return { data: null, msg: "added" };
  },

  async remove({ tx, operator, actor, params }) {
    const before = found(await deleteView(tx, signedIn(operator).id, params.id), "view_not_found");
    const object = { object_type: "saved_view", object_id: params.id };
    const view_name = await referText(tx, before.view_name);
    await insertAudit(tx, actor, {
      action: "delete_saved_view",
      ...object,
      before: { ...before, view_name },
    });
    return { data: null, msg: "deleted" };
  },
};
