/** What is stopped, and the calls to stop and start it (behaviour §5, §6). */
import { useQuery } from "@tanstack/react-query";
import { activityRoutes } from "@red/contract/activity";
import { playerViewRoutes } from "@red/contract/player-view";
import { poolRoutes } from "@red/contract/pool";
import { stopSwitchRoutes } from "@red/contract/stop-switch";
import type { Stop } from "@red/contract/stop-switch";
import { call, exchange } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import type { Words } from "#lib/proof.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";
import { STOP_TEXTS } from "./stop-texts.ts";

addTexts("stop", STOP_TEXTS);

export type StopTarget =
  | { readonly name: "draws" | "payouts" | "everything" }
  | { readonly name: "pool"; readonly id: number; readonly pool_name: string };

const POLL_MS = 15_000;
const FRESH_MS = 2_000;

/** All stops; null until loaded. */
export function useStops(): readonly Stop[] | null {
  const query = useQuery({
    // A background poll: its failure shows nothing, calls of the page fail visibly.
    ...queryOf(stopSwitchRoutes.list, {}, { background: true }),
    refetchInterval: POLL_MS,
    // Shared by several places of a page.
    staleTime: FRESH_MS,
  });
  return query.data?.content ?? null;
}

export function useMayStop(): boolean {
  return useMay("stop.use");
}

export function useMayStart(name: StopTarget["name"]): boolean {
  const mayDraws = useMay("activity.write");
  const mayPayouts = useMay("record.pay");
  switch (name) {
    case "payouts":
      return mayPayouts;
    case "everything":
      return mayDraws && mayPayouts;
    case "draws":
    case "pool":
      return mayDraws;
  }
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

/** Reloads the stops and everything that depends on them. */
async function reloadStops(): Promise<void> {
  await refresh(
    stopSwitchRoutes.list,
    poolRoutes.list,
    activityRoutes.list,
    playerViewRoutes.head,
    playerViewRoutes.explain,
  );
}

/** Rejects with the call's error, which the shared handling has shown. */
export async function stop(target: StopTarget, reason = ""): Promise<void> {
  const body = { reason: reason.trim() };
  try {
    await (target.name === "pool"
      ? call(stopSwitchRoutes.stopPool, { params: { id: target.id }, body })
      : call(STOP[target.name], { body }));
  } finally {
    await reloadStops();
  }
}

/** Resolves to the server's message. Rejects as `stop` does, also if no code is given. */
export async function start(target: StopTarget, words: Words): Promise<string> {
  const { msg } = await (target.name === "pool"
    ? exchange(stopSwitchRoutes.startPool, { params: { id: target.id } }, { words })
    : exchange(START[target.name], {}, { words }));
  await reloadStops();
  return msg;
}
