import type { Activity } from "@red/contract/activity";
import { LOOKUP_SIZE } from "@red/contract/limits";
import { prizeRoutes } from "@red/contract/prize";
import { stopSwitchRoutes } from "@red/contract/stop-switch";
import { figuresOf } from "#rounds/pool-math.ts";
import { call, settled } from "#lib/api.ts";

export type ResumeWarning = "warn_empty" | "warn_low" | "warn_stopped";

/** Empty when they cannot be loaded: then the server alone decides. */
export async function resumeWarnings({
  pool_name,
}: Pick<Activity, "pool_name">): Promise<readonly ResumeWarning[]> {
  const query = { pool_name, page: 1, size: LOOKUP_SIZE };
  const quiet = { background: true };
  const [prizes, stops] = await Promise.all([
    settled(call(prizeRoutes.list, { query }, quiet)),
    settled(call(stopSwitchRoutes.list, {}, quiet)),
  ]);
  const level = prizes.ok ? figuresOf(prizes.data.content).level : "fine";
  const isStopped =
    stops.ok &&
    stops.data.content.some((stop) => stop.name === "draws" || stop.pool_name === pool_name);
  return [
    ...(level === "fine" ? [] : [`warn_${level}` as const]),
    ...(isStopped ? (["warn_stopped"] as const) : []),
  ];
}
