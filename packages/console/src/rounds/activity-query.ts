import { useQuery } from "@tanstack/react-query";
import { activityRoutes } from "@red/contract/rounds/activity";
import { queryOf } from "#lib/query.ts";

/** Loads an activity without caching, because the server rejects a change of an old version. */
export function editedQuery(id: number) {
  return { ...queryOf(activityRoutes.detail, { params: { id } }), gcTime: 0 };
}

/** Returns the activity groups: the labels by key, and the options of a select. */
export function useTags() {
  const { data, isPending: loading } = useQuery(queryOf(activityRoutes.tags, {}));
  const labels: Readonly<Record<string, string>> = data?.tags ?? {};
  const options = Object.entries(labels).map(([value, label]) => ({ value, label }));
  return { labels, options, loading };
}
