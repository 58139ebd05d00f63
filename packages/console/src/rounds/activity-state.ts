import { PRESETS, ROUND_PAUSED } from "@red/contract/platform/codes";
import type { Preset } from "@red/contract/platform/codes";
import type { Activity } from "@red/contract/rounds/activity";

export type ActivityState = "waiting" | "running" | "ended" | "paused";

/** `now` in the wire's format: such texts sort as the instants do. */
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

/** Between start and end, paused or not: chances are counted by its rule. */
export function hasBegun(
  { start_time, end_time }: Pick<Activity, "start_time" | "end_time">,
  now: string,
): boolean {
  return start_time <= now && now <= end_time;
}

export interface ConditionCodes {
  readonly condition_name?: string | undefined;
  readonly condition_formula?: string | undefined;
  readonly condition_type?: string | undefined;
}

/** No limit and whitelist count no rows: no value, formula or type. */
export function isOpen(condition_name: string | undefined): boolean {
  return condition_name === "0" || condition_name === "3";
}

export function presetOf(codes: ConditionCodes): Preset | undefined {
  return PRESETS.find(
    (preset) =>
      preset.condition_name === codes.condition_name &&
      (isOpen(codes.condition_name) ||
        (preset.condition_formula === codes.condition_formula &&
          preset.condition_type === codes.condition_type)),
  );
}
