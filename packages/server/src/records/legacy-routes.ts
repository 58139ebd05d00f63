/**
 * The older routes (spec §7) of rounds, prizes and records. Each calls the newer route. They are in
 * the room `records`, because it may import the other two.
 */
import type { legacyRoutes } from "@red/contract/records/legacy";
import { activityHandlers } from "#rounds/activity-routes";
import type { Handlers } from "#platform/handlers";
import { prizeHandlers } from "#pools/prize-routes";
import { recordHandlers } from "./record-routes.ts";

export const legacyHandlers: Handlers<typeof legacyRoutes> = {
  actList: activityHandlers.list,
  actAdd: activityHandlers.create,
  actModify: (call) => activityHandlers.update({ ...call, params: { id: call.body.id } }),
  actDelete: (call) => activityHandlers.remove({ ...call, params: call.body, body: undefined }),
  awardList: prizeHandlers.list,
  awardAdd: prizeHandlers.create,
  awardModify: (call) => prizeHandlers.update({ ...call, params: { id: call.body.id } }),
  awardDelete: (call) => prizeHandlers.remove({ ...call, params: call.body, body: undefined }),
  recordList: (call) => recordHandlers.list({ ...call, query: call.body, body: undefined }),
  addBonus: ({ body: { id = [], log_ids = [], log = [] }, ...call }) =>
    recordHandlers.reissue({ ...call, body: { log_ids: [...id, ...log_ids, ...log] } }),
  recordExport: recordHandlers.exportFile,
};
