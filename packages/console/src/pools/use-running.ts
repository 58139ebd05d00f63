/** Running rounds that draw from a pool (behaviour §5). */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Activity } from "@red/contract/rounds/activity";
import { LOOKUP_SIZE } from "@red/contract/platform/limits";
import { ROUND_ACTIVE } from "@red/contract/platform/codes";
import type { Input } from "@red/contract/platform/route";
import { call } from "#lib/api.ts";
import { businessNow, useClock } from "#lib/clock.ts";
import { queryClient, queryOf } from "#lib/query.ts";
import { useMay, useUser } from "#lib/session.ts";

const NAMED_MAX = 3;

function roundsQuery(pool_name: string) {
  const input: Input<typeof activityRoutes.list> = {
    query: { pool_name, rounds_status: ROUND_ACTIVE, page: 1, size: LOOKUP_SIZE },
  };
  return {
    ...queryOf(activityRoutes.list, input),
    // A background call: if the server is down, the page's own calls say so.
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call(activityRoutes.list, input, { signal, background: true }),
  };
}

function runningAt(rounds: readonly Activity[], now: string): readonly Activity[] {
  return rounds.filter(({ start_time, end_time }) => start_time <= now && now <= end_time);
}

/** Empty until loaded, and for operators who may not read activities. */
export function useRunningRounds(pool_name: string): readonly Activity[] {
  const { data } = useQuery({ ...roundsQuery(pool_name), enabled: useMay("activity.read") });
  const rounds = data?.content ?? [];
  const ids = useClock((now) =>
    runningAt(rounds, now)
      .map(({ id }) => id)
      .join(),
  );
  return rounds.filter(({ id }) => ids.split(",").includes(String(id)));
}

/** Loads them once; empty if that fails. */
export function useFindRunning(): (pool_name: string) => Promise<readonly Activity[]> {
  const mayRead = useMay("activity.read");
  const { time_zone } = useUser();
  return async (pool_name) => {
    if (!mayRead) {
      return [];
    }
    try {
      const { content } = await queryClient.fetchQuery(roundsQuery(pool_name));
      return runningAt(content, businessNow(time_zone));
    } catch {
      return [];
    }
  };
}

export function useNaming() {
  const { t } = useTranslation("prize");
  return (
    key: "effect_running" | "import_running" | "remove_running" | "remove_last_running",
    rounds: readonly Activity[],
  ) => {
    const names = rounds
      .slice(0, NAMED_MAX)
      .map(({ rounds_name }) => t("effect_round", { name: rounds_name }));
    return t(rounds.length > NAMED_MAX ? `${key}_more` : key, {
      names: names.join(t("effect_and")),
      rounds: rounds.length,
    });
  };
}
