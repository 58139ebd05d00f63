import { useQuery } from "@tanstack/react-query";
import { activityRoutes } from "@red/contract/rounds/activity";
import { queryOf } from "#lib/query.ts";

/** Groups by key; apart from their form fields, which load the fields of times. */
export function useTags(): {
  readonly labels: Readonly<Record<string, string>>;
  readonly loading: boolean;
} {
  const { data, isPending } = useQuery(queryOf(activityRoutes.tags, {}));
  return { labels: data?.tags ?? {}, loading: isPending };
}
