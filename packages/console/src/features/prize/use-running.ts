/** The rounds that draw from a pool right now (behaviour §5). */
import { useQuery } from "@tanstack/react-query";
import { activityRoutes } from "@red/contract/activity";
import type { Activity } from "@red/contract/activity";
import { LOOKUP_SIZE } from "@red/contract/limits";
import { ROUND_ACTIVE } from "@red/contract/lookups";
import type { Input } from "@red/contract/route";
import { call } from "#lib/api.ts";
import { useBusinessNow } from "#lib/clock.ts";
import { queryOf } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";

/** Empty while they are not known, and for who may not read activities. */
export function useRunningRounds(pool_name: string): readonly Activity[] {
  const now = useBusinessNow();
  const input: Input<typeof activityRoutes.list> = {
    query: { pool_name, rounds_status: ROUND_ACTIVE, page: 1, size: LOOKUP_SIZE },
  };
  const rounds = useQuery({
    ...queryOf(activityRoutes.list, input),
    // Nobody asked for it: what was asked for says by itself when the server does not answer.
    queryFn: ({ signal }) => call(activityRoutes.list, input, { signal, background: true }),
    enabled: useMay("activity.read"),
  });
  return (rounds.data?.content ?? []).filter(
    ({ start_time, end_time }) => start_time <= now && now <= end_time,
  );
}
