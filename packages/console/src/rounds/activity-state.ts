import { PRESETS, ROUND_PAUSED } from "@red/contract/platform/codes";
import type { Preset } from "@red/contract/platform/codes";
import type { Activity } from "@red/contract/rounds/activity";
import type { Stop } from "@red/contract/stops/stop-switch";
import type { PoolFigures } from "#pools/pool-math.ts";

export type ActivityState = "waiting" | "running" | "ended" | "paused";

/** Returns the state of an activity. `now` must have the API format, whose texts sort by time. */
export function stateOf(
  activity: Pick<Activity, "start_time" | "end_time" | "rounds_status">,
  now: string,
): ActivityState {
  if (activity.end_time < now) {
    return "ended";
  }
  if (activity.rounds_status === ROUND_PAUSED) {
    return "paused";
  }
  return activity.start_time > now ? "waiting" : "running";
}

/**
 * Returns whether the activity is between start and end. Players earn chances in this time even if the activity is
 * paused.
 */
export function hasBegun(
  { start_time, end_time }: Pick<Activity, "start_time" | "end_time">,
  now: string,
): boolean {
  return start_time <= now && now <= end_time;
}

/** Returns whether the condition is "no limit" or "whitelist". These conditions have no value, formula and type. */
export function isOpen(condition_name: string | undefined): boolean {
  return condition_name === "0" || condition_name === "3";
}

export function presetOf(
  codes: Partial<Pick<Activity, "condition_name" | "condition_formula" | "condition_type">>,
): Preset | undefined {
  return PRESETS.find(
    (preset) =>
      preset.condition_name === codes.condition_name &&
      (isOpen(codes.condition_name) ||
        (preset.condition_formula === codes.condition_formula &&
          preset.condition_type === codes.condition_type)),
  );
}

/** Returns the reasons not to start a round on this pool now, as text keys (behaviour §5). */
export function startWarnings(
  pool_name: string,
  level: PoolFigures["level"],
  stops: readonly Stop[],
) {
  const isStopped = stops.some((stop) => stop.name === "draws" || stop.pool_name === pool_name);
  return [
    ...(level === "fine" ? [] : [`warn_${level}` as const]),
    ...(isStopped ? ["warn_stopped" as const] : []),
  ];
}
