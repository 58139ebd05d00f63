/** Loads the activities of a business day as options of a select (spec §2, §9). */
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Activity } from "@red/contract/rounds/activity";
import { ACTIVITY_NAMES_SIZE } from "@red/contract/platform/limits";
import { useQuery } from "@tanstack/react-query";
import { queryOf } from "./query.ts";

/** `date` has the format `yyyy-MM-dd`. Without a date the list is empty. */
export function useActivitiesOf(date: string | undefined): {
  readonly activities: readonly Activity[];
  readonly loading: boolean;
} {
  const { data, isFetching } = useQuery({
    ...queryOf(activityRoutes.list, {
      query: { start_date: date, page: 1, size: ACTIVITY_NAMES_SIZE },
    }),
    enabled: date !== undefined,
  });
  return { activities: data?.content ?? [], loading: isFetching };
}
