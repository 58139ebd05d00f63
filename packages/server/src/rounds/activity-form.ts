/** The activity form's fields as database columns. */
import type { activityCreate } from "@red/contract/activity";
import { formatDate, parseDateTime } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import type { ActivityValues } from "./activity-sql.ts";
import type * as z from "zod/mini";

/** The checked body of create, and of update without the row's id and version. */
export type ActivityForm = Omit<z.output<typeof activityCreate>, "rounds_status">;

function instantOf(text: string, timeZone: string): Date {
  const instant = parseDateTime(text, timeZone);
  if (instant === null) {
    throw new RangeError(`not checked by the contract: ${text}`);
  }
  return instant;
}

/**
 * No limit and whitelist have no condition: their formula and type are dropped, and a value other than 0 is
 * refused, because it cannot be meant (behaviour §11).
 */
function conditionValues(form: ActivityForm) {
  const { condition_name, condition_value: condition_value_cents } = form;
  if (condition_name === "1" || condition_name === "2") {
    const { condition_formula, condition_type } = form;
    return { condition_name, condition_formula, condition_type, condition_value_cents };
  }
  if (condition_value_cents !== 0) {
    throw new AppError("condition_value_not_zero");
  }
  return {
    condition_name,
    condition_formula: "0",
    condition_type: "0",
    condition_value_cents,
  } as const;
}

/**
 * The columns to save, with times read in `timeZone` and the business day of the start. Throws
 * condition_value_not_zero and end_after_start.
 */
export function activityValues(
  form: ActivityForm,
  pool_id: number,
  timeZone: string,
): ActivityValues {
  const start_time = instantOf(form.start_time, timeZone);
  const end_time = instantOf(form.end_time, timeZone);
  const achieve_start_time = instantOf(form.achieve_start_time, timeZone);
  const achieve_end_time = instantOf(form.achieve_end_time, timeZone);
  // Times in text order may be out of order as instants where the clocks skip an hour.
  if (start_time > end_time || achieve_start_time > achieve_end_time) {
    throw new AppError("end_after_start");
  }
  return {
    rounds_name: form.rounds_name,
    tag: form.tag,
    red_code: form.red_code,
    pool_id,
    ...conditionValues(form),
    condition_times: form.condition_times,
    turnover: form.turnover,
    achieve_start_time,
    achieve_end_time,
    start_time,
    end_time,
    start_date: formatDate(start_time, timeZone),
    draws_max: form.draws_max,
    day_draws_max: form.day_draws_max,
    platforms: form.platforms,
  };
}
