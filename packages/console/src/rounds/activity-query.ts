import { activityRoutes } from "@red/contract/rounds/activity";
import { queryOf } from "#lib/query.ts";

/** Always the newest version, nothing cached: the server would refuse an old one. */
export function editedQuery(id: number) {
  return { ...queryOf(activityRoutes.detail, { params: { id } }), gcTime: 0 };
}
