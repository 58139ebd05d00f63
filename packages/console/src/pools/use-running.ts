/** Finds the running rounds that draw from a pool (behaviour §5). */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Activity } from "@red/contract/rounds/activity";
import { LOOKUP_SIZE } from "@red/contract/platform/limits";
import { ROUND_ACTIVE } from "@red/contract/platform/codes";
import { businessNow, useClock } from "#lib/clock.ts";
import { queryClient, queryOf } from "#lib/query.ts";
import { useMay, useUser } from "#lib/session.ts";

const NAMED_MAX = 3;

function roundsQuery(pool_name: string) {
  const query = { pool_name, rounds_status: ROUND_ACTIVE, page: 1, size: LOOKUP_SIZE } as const;
  // A failed background call shows no message, because other calls of the page report the error.
  return queryOf(activityRoutes.list, { query }, { background: true });
}

function runningAt(rounds: readonly Activity[], now: string): readonly Activity[] {
  return rounds.filter(({ start_time, end_time }) => start_time <= now && now <= end_time);
}

/** Returns the running rounds. Empty until loaded, and empty without the permission to read activities. */
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

/** Returns a function that loads the running rounds once. The result is empty if the call fails. */
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

/** Joins up to three names. A longer list names three and adds a count. */
export function useListing() {
  const { t } = useTranslation(["prize", "ui"]);
  return (entries: readonly string[], more: "more_rounds" | "more_prizes") => {
    const names = entries.slice(0, NAMED_MAX).join(t("ui:list_comma"));
    return entries.length > NAMED_MAX ? t(more, { names, count: entries.length }) : names;
  };
}

/** Returns a sentence about running rounds, with the names of the rounds. */
export function useNaming() {
  const { t } = useTranslation("prize");
  const listing = useListing();
  return (
    key: "effect_running" | "import_running" | "remove_running" | "remove_last_running",
    rounds: readonly Activity[],
  ) => {
    const names = rounds.map(({ rounds_name: name }) => t("effect_round", { name }));
    return t(key, { names: listing(names, "more_rounds") });
  };
}
