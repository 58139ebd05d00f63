/** The values of the activity form, and the request body built from these values (behaviour §11). */
import type { Activity } from "@red/contract/rounds/activity";
import { DRAWS_LIMIT_MAX } from "@red/contract/platform/limits";
import { CONDITION_NAMES, DEFAULT_TAG, ROUND_PAUSED } from "@red/contract/platform/codes";
import type { PlatformCode } from "@red/contract/platform/codes";
import { parseCents } from "@red/contract/platform/money";
import type { RuleTextRound } from "@red/engine/rule-text";
import { DATE_TIME, momentOf } from "#ui/typed-time.ts";
import { dayjs } from "#ui/wall-time.ts";
import type { Dayjs } from "#ui/wall-time.ts";
import { isOpen } from "./activity-state.ts";

export interface ActivityValues {
  rounds_name?: string;
  tag?: string;
  red_code?: string;
  pool_name?: string;
  condition_name?: Activity["condition_name"];
  condition_formula?: Activity["condition_formula"];
  condition_type?: Activity["condition_type"];
  condition_value?: string;
  condition_times?: number;
  turnover?: number;
  achieve_start_time?: Dayjs | null;
  achieve_end_time?: Dayjs | null;
  start_time?: Dayjs | null;
  end_time?: Dayjs | null;
  draws_max?: string;
  day_draws_max?: string;
  platforms?: PlatformCode[];
}

export function timeText(value: Dayjs | null | undefined): string {
  return momentOf(value)?.format(DATE_TIME) ?? "";
}

/** Returns the first values of a new activity: the default group and the message code (spec §9). */
export function newValues(red_code: string): ActivityValues {
  return { tag: DEFAULT_TAG, red_code };
}

export function valuesOf(activity: Activity): ActivityValues {
  const open = isOpen(activity.condition_name);
  const { rounds_name, tag, red_code, pool_name, condition_name, condition_times, turnover } =
    activity;
  return {
    rounds_name,
    tag,
    red_code,
    pool_name,
    condition_name,
    condition_times,
    turnover,
    condition_value: open ? "0" : activity.condition_value,
    ...(!open && {
      condition_formula: activity.condition_formula,
      condition_type: activity.condition_type,
    }),
    achieve_start_time: dayjs(activity.achieve_start_time),
    achieve_end_time: dayjs(activity.achieve_end_time),
    start_time: dayjs(activity.start_time),
    end_time: dayjs(activity.end_time),
    draws_max: String(activity.draws_max ?? ""),
    day_draws_max: String(activity.day_draws_max ?? ""),
    platforms: activity.platforms ?? [],
  };
}

/** Parses the limit in a field. Returns null for an empty text and undefined for an invalid text. */
export function limitOf(text = ""): number | null | undefined {
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  return text === "" ? null : limit >= 1 && limit <= DRAWS_LIMIT_MAX ? limit : undefined;
}

/** Returns the limits and the platforms. Only bets have platforms. Null means that the form sets no value. */
function limitsOf({ condition_name, draws_max, day_draws_max, platforms = [] }: ActivityValues) {
  const isNamed = condition_name === CONDITION_NAMES.bet && platforms.length > 0;
  return {
    draws_max: limitOf(draws_max) ?? null,
    day_draws_max: limitOf(day_draws_max) ?? null,
    platforms: isNamed ? platforms : null,
  };
}

/**
 * Builds the request body from a filled-in form. Missing texts become empty, which the contract rejects. Throws
 * RangeError if the condition is missing. The form prevents this case.
 */
export function bodyOf(values: ActivityValues) {
  const { condition_name } = values;
  if (condition_name === undefined) {
    throw new RangeError("an activity without a condition");
  }
  const open = isOpen(condition_name);
  return {
    rounds_name: values.rounds_name ?? "",
    tag: values.tag ?? "",
    red_code: values.red_code ?? "",
    pool_name: values.pool_name ?? "",
    condition_name,
    condition_formula: open ? "0" : (values.condition_formula ?? "0"),
    condition_value: open ? "0" : (values.condition_value ?? ""),
    condition_times: values.condition_times ?? "",
    condition_type: open ? "0" : (values.condition_type ?? "0"),
    turnover: values.turnover ?? "",
    achieve_start_time: timeText(values.achieve_start_time),
    achieve_end_time: timeText(values.achieve_end_time),
    start_time: timeText(values.start_time),
    end_time: timeText(values.end_time),
    ...limitsOf(values),
  };
}

/** Returns for each field of the rule whether its value is readable. */
function readable(values: ActivityValues) {
  const open = isOpen(values.condition_name);
  return {
    condition_name: values.condition_name !== undefined,
    condition_formula: open || values.condition_formula !== undefined,
    condition_value: open || (parseCents(values.condition_value ?? "") ?? 0) !== 0,
    condition_times: values.condition_times !== undefined,
    condition_type: open || values.condition_type !== undefined,
    turnover: values.turnover !== undefined,
    achieve_start_time: timeText(values.achieve_start_time) !== "",
    achieve_end_time: timeText(values.achieve_end_time) !== "",
    start_time: timeText(values.start_time) !== "",
    end_time: timeText(values.end_time) !== "",
    draws_max: limitOf(values.draws_max) !== undefined,
    day_draws_max: limitOf(values.day_draws_max) !== undefined,
  };
}

export type RuleField = keyof ReturnType<typeof readable>;

/** Returns the fields that `ruleOf` needs but that are empty or invalid. */
export function missingOf(values: ActivityValues): readonly RuleField[] {
  const isRead = readable(values);
  return (Object.keys(isRead) as RuleField[]).filter((field) => !isRead[field]);
}

/** Returns the round for the rule sentence, or null while a field is missing. */
export function ruleOf(values: ActivityValues): RuleTextRound | null {
  if (missingOf(values).length > 0) {
    return null;
  }
  const { condition_times = 0, turnover = 0, pool_name } = values;
  const { rounds_name: _name, tag: _tag, red_code: _code, ...rule } = bodyOf(values);
  const condition_value_cents = parseCents(rule.condition_value) ?? 0;
  return { ...rule, condition_times, turnover, pool_name, condition_value_cents };
}

export type SaveEffect =
  | { readonly kind: "plain" | "now" | "paused" | "ended" }
  | { readonly kind: "later"; readonly at: string };

/** Returns the effect of saving, for the text of the button. A new activity is always active (spec §4). */
export function saveEffect(
  { start_time: start, end_time: end }: { readonly start_time: string; readonly end_time: string },
  now: string,
  status: Activity["rounds_status"],
): SaveEffect {
  if (start === "" || end === "") {
    return { kind: "plain" };
  }
  if (end < now) {
    return { kind: "ended" };
  }
  if (status === ROUND_PAUSED) {
    return { kind: "paused" };
  }
  if (start <= now) {
    return { kind: "now" };
  }
  // If the start is not today, the text includes the day.
  return {
    kind: "later",
    at: start.slice(0, 10) === now.slice(0, 10) ? start.slice(11, 16) : start.slice(5, 16),
  };
}
