/** The older calls (spec §7): each does the same as its newer one, with the id in the body as `id` (behaviour §11). */
import * as z from "zod/mini";
import { activityRoutes, activityUpdate } from "./activity.ts";
import { id } from "./fields.ts";
import { prizeRoutes, prizeUpdate } from "./prize.ts";
import { idList, idListFault, recordFilter, recordRoutes } from "./record.ts";
import { route } from "./route.ts";
import type { Route } from "./route.ts";

/** The same call at its older address. */
function older<R extends Route>(newer: R, path: string): R {
  return { ...newer, path, summary: `As ${newer.method} ${newer.path}` };
}

const byId = z.strictObject({ id: id() });

const ids = {
  log_ids: z.optional(idList("choose_records")),
  log: z.optional(idList("choose_records")),
  id: z.optional(
    z.union(
      [
        z.pipe(
          id(),
          z.transform((one) => [one]),
        ),
        idList("choose_records"),
      ],
      { error: idListFault("choose_records") },
    ),
  ),
};

export const olderRoutes = {
  actList: older(activityRoutes.list, "/red/act/list"),
  actAdd: older(activityRoutes.create, "/red/act/add"),
  actModify: route({
    method: "POST",
    path: "/red/act/modify",
    summary: "As PUT /gred/api/act/update/{id}",
    auth: activityRoutes.update.auth,
    access: "write",
    body: z.safeExtend(activityUpdate, { id: id() }),
    data: activityRoutes.update.data,
  }),
  actDelete: route({
    method: "POST",
    path: "/red/act/delete",
    summary: "As DELETE /gred/api/act/{id}",
    auth: activityRoutes.remove.auth,
    access: "write",
    body: byId,
    data: activityRoutes.remove.data,
  }),
  awardList: older(prizeRoutes.list, "/red/award/list"),
  awardAdd: older(prizeRoutes.create, "/red/award/add"),
  awardModify: route({
    method: "POST",
    path: "/red/award/modify",
    summary: "As PUT /gred/api/prize/{id}",
    auth: prizeRoutes.update.auth,
    access: "write",
    body: z.safeExtend(prizeUpdate, { id: id() }),
    data: prizeRoutes.update.data,
  }),
  awardDelete: route({
    method: "POST",
    path: "/red/award/delete",
    summary: "As DELETE /gred/api/prize/{id}",
    auth: prizeRoutes.remove.auth,
    access: "write",
    body: byId,
    data: prizeRoutes.remove.data,
  }),
  recordList: route({
    method: "POST",
    path: "/red/record/list",
    summary: "As GET /gred/api/record/list, with the filters in the body",
    auth: recordRoutes.list.auth,
    access: "read",
    body: recordFilter,
    data: recordRoutes.list.data,
  }),
  addBonus: route({
    method: "POST",
    path: "/red/player/addBonus",
    summary: "As POST /gred/api/record/reissue; the ids may be called id",
    auth: recordRoutes.reissue.auth,
    access: "write",
    body: z.strictObject(ids).check(
      z.refine((body) => Object.values(body).some((list) => list !== undefined), {
        error: "choose_records",
        path: ["id"],
      }),
    ),
    data: recordRoutes.reissue.data,
  }),
  recordExport: older(recordRoutes.exportFile, "/red/record/export"),
};
