import { useQuery } from "@tanstack/react-query";
import { activityRoutes } from "@red/contract/rounds/activity";
import { queryOf } from "#lib/query.ts";

/** Never cached: the server refuses a change of an old version. */
export function editedQuery(id: number) {
  return { ...queryOf(activityRoutes.detail, { params: { id } }), gcTime: 0 };
}

/** The activity groups: labels by key, and the options of a select. */
export function useTags() {
  const { data, isPending: loading } = useQuery(queryOf(activityRoutes.tags, {}));
  const labels: Readonly<Record<string, string>> = data?.tags ?? {};
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }));
  return { labels, options, loading };
}
