/** The activity that is being edited, as the server has it. */
import { activityRoutes } from "@red/contract/activity";
import { queryOf } from "#lib/query.ts";

/** Always the newest version: an old one could only be refused. Nothing of it is kept. */
export function editedQuery(id: number) {
  return { ...queryOf(activityRoutes.detail, { params: { id } }), gcTime: 0 };
}
