/** The current stops, and the changes that stop and start draws or payouts (behaviour §5, §6). */
import { useQuery } from "@tanstack/react-query";
import { activityRoutes } from "@red/contract/rounds/activity";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { poolRoutes } from "@red/contract/pools/pool";
import { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import type { Stop } from "@red/contract/stops/stop-switch";
import { changeBy } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";
import { STOP_TEXTS } from "./stop-texts.ts";

addTexts("stop", STOP_TEXTS);

export type StopTarget =
  | { readonly name: "draws" | "payouts" | "everything" }
  | { readonly name: "pool"; readonly id: number; readonly pool_name: string };

const POLL_MS = 15_000;
const FRESH_MS = 2_000;

/** Returns all stops, or null until they are loaded. */
export function useStops(): readonly Stop[] | null {
  const query = useQuery({
    // A failed background poll shows no message, because other calls of the page report the error.
    ...queryOf(stopSwitchRoutes.list, {}, { background: true }),
    refetchInterval: POLL_MS,
    // Several parts of a page call this hook, so they share a fresh answer.
    staleTime: FRESH_MS,
  });
  return query.data?.content ?? null;
}

export function useMayStart(name: StopTarget["name"]): boolean {
  const draws = useMay("activity.write");
  const payouts = useMay("record.pay");
  return { draws, pool: draws, payouts, everything: draws && payouts }[name];
}

const STOP = {
  draws: stopSwitchRoutes.stopDraws,
  payouts: stopSwitchRoutes.stopPayouts,
  everything: stopSwitchRoutes.stopEverything,
} as const;

const START = {
  draws: stopSwitchRoutes.startDraws,
  payouts: stopSwitchRoutes.startPayouts,
  everything: stopSwitchRoutes.startEverything,
} as const;

/** Lists to load again after a stop or a start. */
export const STOP_LISTS = [
  stopSwitchRoutes.list,
  poolRoutes.list,
  activityRoutes.list,
  playerViewRoutes.head,
  playerViewRoutes.explain,
] as const;

export function stopOf(target: StopTarget, reason = "") {
  const body = { reason: reason.trim() };
  return target.name === "pool"
    ? changeBy(stopSwitchRoutes.stopPool, { params: { id: target.id }, body })
    : changeBy(STOP[target.name], { body });
}

export function startOf(target: StopTarget) {
  return target.name === "pool"
    ? changeBy(stopSwitchRoutes.startPool, { params: { id: target.id } })
    : changeBy(START[target.name], {});
}
