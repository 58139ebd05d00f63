/**
 * The older calls (spec §7). Each older call does the same as the newer call, but the body contains the id as
 * `id` (behaviour §11).
 */
import * as z from "zod/mini";
import { activityRoutes, activityUpdate } from "#rounds/activity";
import { id } from "#platform/fields";
import { prizeRoutes, prizeUpdate } from "#pools/prize";
import { idList, idListFault, recordFilter, recordRoutes } from "./record.ts";
import { route } from "#platform/route";
import type { Access, ProofOf, Route } from "#platform/route";

/** Returns the same call at its older address. */
function older<R extends Route>(newer: R, path: string): R {
  return { ...newer, path, summary: `As ${newer.method} ${newer.path}` };
}

/** Returns the same call with all parts in the body. The summary ends with `more`. */
function inBody<
  D extends z.ZodMiniType,
  A extends Access,
  W extends ProofOf<A>,
  B extends z.ZodMiniType,
>(
  newer: Pick<
    Route<undefined, undefined, undefined, D, A, W>,
    "method" | "path" | "auth" | "access" | "proof" | "data"
  >,
  path: `/red/${string}`,
  body: B,
  more = "",
) {
  const { auth, access, proof, data } = newer;
  const summary = `As ${newer.method} ${newer.path}${more}`;
  return route({ call: `POST ${path}`, summary, auth, access, proof, body, data });
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

export const legacyRoutes = {
  actList: older(activityRoutes.list, "/red/act/list"),
  actAdd: older(activityRoutes.create, "/red/act/add"),
  actModify: inBody(
    activityRoutes.update,
    "/red/act/modify",
    z.safeExtend(activityUpdate, { id: id() }),
  ),
  actDelete: inBody(activityRoutes.remove, "/red/act/delete", byId),
  awardList: older(prizeRoutes.list, "/red/award/list"),
  awardAdd: older(prizeRoutes.create, "/red/award/add"),
  awardModify: inBody(
    prizeRoutes.update,
    "/red/award/modify",
    z.safeExtend(prizeUpdate, { id: id() }),
  ),
  awardDelete: inBody(prizeRoutes.remove, "/red/award/delete", byId),
  recordList: inBody(
    recordRoutes.list,
    "/red/record/list",
    recordFilter,
    ", with the filters in the body",
  ),
  addBonus: inBody(
    recordRoutes.reissue,
    "/red/player/addBonus",
    z.strictObject(ids).check(
      z.refine((body) => Object.values(body).some((list) => list !== undefined), {
        error: "choose_records",
        path: ["id"],
      }),
    ),
    "; the ids may be called id",
  ),
  recordExport: older(recordRoutes.exportFile, "/red/record/export"),
};
