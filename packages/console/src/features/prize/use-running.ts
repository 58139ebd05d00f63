/** The rounds that draw from a pool right now (behaviour §5). */
import { useQuery } from "@tanstack/react-query";
import { activityRoutes } from "@red/contract/activity";
import type { Activity } from "@red/contract/activity";
import { LOOKUP_SIZE } from "@red/contract/limits";
import { ROUND_ACTIVE } from "@red/contract/lookups";
import type { Input } from "@red/contract/route";
import { call } from "#lib/api.ts";
import { businessNow, useBusinessNow } from "#lib/clock.ts";
import { queryClient, queryOf } from "#lib/query.ts";
import { useMay, useUser } from "#lib/session.ts";

function roundsQuery(pool_name: string) {
  const input: Input<typeof activityRoutes.list> = {
    query: { pool_name, rounds_status: ROUND_ACTIVE, page: 1, size: LOOKUP_SIZE },
  };
  return {
    ...queryOf(activityRoutes.list, input),
    // Nobody asked for it: what was asked for says by itself when the server does not answer.
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(activityRoutes.list, input, { signal, background: true }),
  };
}

function runningAt(rounds: readonly Activity[], now: string): readonly Activity[] {
  return rounds.filter(({ start_time, end_time }) => start_time <= now && now <= end_time);
}

/** Empty while they are not known, and for who may not read activities. */
export function useRunningRounds(pool_name: string): readonly Activity[] {
  const now = useBusinessNow();
  const rounds = useQuery({ ...roundsQuery(pool_name), enabled: useMay("activity.read") });
  return runningAt(rounds.data?.content ?? [], now);
}

/** Asks how many they are, once; 0 where that cannot be known. */
export function useCountRunning(): (pool_name: string) => Promise<number> {
  const mayRead = useMay("activity.read");
  const { time_zone } = useUser();
  return async (pool_name) => {
    if (!mayRead) {
      return 0;
    }
    try {
      const { content } = await queryClient.fetchQuery(roundsQuery(pool_name));
      return runningAt(content, businessNow(time_zone)).length;
    } catch {
      return 0;
    }
  };
}
