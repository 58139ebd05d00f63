/**
 * Rounds that an operator creates, changes or deletes (behaviour §3, §11). A name already in use or
 * an unknown tag violates a constraint.
 */
import type { activityCopy, activityCreate } from "@red/contract/rounds/activity";
import { formatDate, isDateTime, parseDateTime } from "@red/contract/platform/datetime";
import { AppError, found } from "@red/contract/platform/errors";
import { copiedRoundName, copyName, timesFrom } from "@red/engine/copy-round";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import {
  insertActivity,
  insertActivityRule,
  lockActivity,
  markActivityDeleted,
  selectActivity,
  selectIsInWindow,
  selectRoundNames,
  toActivity,
  updateActivity as updateActivityRow,
  updateRoundsStatus,
} from "./activity-sql.ts";
import type { ActivityRow, ActivityValues } from "./activity-sql.ts";
import { existingPool, insertPoolCopy } from "#pools/change-pool";
import { selectPoolNames, sharePoolByName } from "#pools/pool-sql";
import type { WindowedRule } from "#pools/granted-sql";
import { riskOfRound, valueRound } from "#pools/value-change";
import type * as z from "zod/mini";

/** The checked body of a create request, and of an update request without the id and version. */
type ActivityForm = Omit<z.output<typeof activityCreate>, "rounds_status">;

interface ActivitySave extends ActivityForm {
  /** Version of the round that the form loaded. Older clients omit this field. */
  readonly version?: number | undefined;
}

function instantOf(text: string, timeZone: string): Date {
  const instant = parseDateTime(text, timeZone);
  if (instant === null) {
    throw new RangeError(`not checked by the contract: ${text}`);
  }
  return instant;
}

/**
 * "No limit" and "whitelist" have no condition. Formula and type are dropped; a value other than 0
 * is rejected as a mistake (behaviour §11).
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
  const none = { condition_formula: "0", condition_type: "0" } as const;
  return { condition_name, ...none, condition_value_cents };
}

/**
 * Returns the columns to save, with times read in `timeZone` and the business day of the start.
 * Throws condition_value_not_zero and end_after_start.
 */
function activityValues(
  form: ActivityForm,
  pool_id: number,
  timeZone: string,
): ActivityValues & WindowedRule {
  const start_time = instantOf(form.start_time, timeZone);
  const end_time = instantOf(form.end_time, timeZone);
  const achieve_start_time = instantOf(form.achieve_start_time, timeZone);
  const achieve_end_time = instantOf(form.achieve_end_time, timeZone);
  // Where clocks skip an hour, two texts in the right order can be times in the wrong order.
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

const existing = (activity: ActivityRow | null) => found(activity, "activity_not_found");

/** Inserts a round with version 1 of its rule. Returns the round in the form for the audit log. */
async function insertWithRule(tx: Tx, values: ActivityValues, timeZone: string) {
  const id = await insertActivity(tx, values);
  await insertActivityRule(tx, id);
  return toActivity(existing(await selectActivity(tx, id)), timeZone);
}

/** Creates an active round. Throws pool_not_found, condition_month_detached and the errors of activityValues. */
export async function createActivity(
  tx: Tx,
  actor: Actor,
  form: ActivityForm,
  timeZone: string,
): Promise<Costed<{ id: number }>> {
  const pool_id = found(await sharePoolByName(tx, form.pool_name), "pool_not_found");
  const values = activityValues(form, pool_id, timeZone);
  const valued = await valueRound(tx, timeZone, null, values);
  const after = await insertWithRule(tx, values, timeZone);
  await insertAudit(tx, actor, {
    action: "create_activity",
    object_type: "activity",
    object_id: after.id,
    after,
  });
  return { data: { id: after.id }, risk: await riskOfRound(tx, valued, after.id) };
}

/**
 * Saves a round and stores its rule under a new version, even if nothing changed. Throws activity_not_found,
 * stale_version, pool_not_found, condition_month_detached and the errors of activityValues.
 */
export async function updateActivity(
  tx: Tx,
  actor: Actor,
  id: number,
  save: ActivitySave,
  timeZone: string,
): Promise<Costed<{ version: number }>> {
  const pool_id = await sharePoolByName(tx, save.pool_name);
  const seen = existing(await selectActivity(tx, id));
  const value = async (round: ActivityRow) => {
    const values = activityValues(save, pool_id ?? 0, timeZone);
    return { values, valued: await valueRound(tx, timeZone, round, values) };
  };
  let valuing = pool_id !== null && (await value(seen));
  const before = existing(await lockActivity(tx, id));
  if (save.version !== undefined && save.version !== before.version) {
    throw new AppError("stale_version");
  }
  if (valuing === false) {
    throw new AppError("pool_not_found");
  }
  if (seen.version !== before.version) {
    valuing = await value(before);
  }
  const { values, valued } = valuing;
  const version = await updateActivityRow(tx, id, values);
  await insertActivityRule(tx, id);
  const after = existing(await selectActivity(tx, id));
  await insertAudit(tx, actor, {
    action: "update_activity",
    object_type: "activity",
    object_id: id,
    before: toActivity(before, timeZone),
    after: toActivity(after, timeZone),
  });
  return { data: { version }, risk: await riskOfRound(tx, valued, id) };
}

/**
 * Creates an active round that starts on `start_date`. Its new pool has the same prizes with full stock, and the
 * original round does not change (behaviour §13). Derives missing names. Throws activity_not_found, pool_not_found,
 * activity_out_of_dates, condition_month_detached and the errors of activityValues.
 */
export async function copyActivity(
  tx: Tx,
  actor: Actor,
  id: number,
  copy: z.output<typeof activityCopy>,
  timeZone: string,
) {
  const source = existing(await selectActivity(tx, id));
  const { start_date } = copy;
  const sourcePool = await existingPool(tx, source.pool_id);
  const pool_name =
    copy.pool_name ?? copyName(sourcePool.pool_name, start_date, await selectPoolNames(tx));
  const pool = await insertPoolCopy(tx, actor, sourcePool, pool_name);
  const rounds_name =
    copy.rounds_name ??
    copiedRoundName(source.rounds_name, start_date, await selectRoundNames(tx, start_date));
  const { condition_value_cents: condition_value, condition_name } = source;
  const times = timesFrom(toActivity(source, timeZone), start_date, copy);
  if (!Object.values(times).every(isDateTime)) {
    throw new AppError("activity_out_of_dates");
  }
  const form = { ...source, ...times, rounds_name, pool_name, condition_name, condition_value };
  const valued = await valueRound(tx, timeZone, null, null, [pool.id]);
  const after = await insertWithRule(tx, activityValues(form, pool.id, timeZone), timeZone);
  await insertAudit(tx, actor, {
    action: "copy_activity",
    object_type: "activity",
    object_id: after.id,
    after: { ...after, copy_of: id, pool_copy_of: sourcePool.id },
  });
  const data = { id: after.id, rounds_name, pool_id: pool.id, pool_name };
  return { data, risk: await riskOfRound(tx, valued, after.id) };
}

/**
 * Sets a round to 0 (paused) or 1 (active) (spec §4). Setting the current status again changes
 * nothing. Running draws have a share lock on the round, so no draw commits after the commit of a
 * pause (behaviour §5). Throws activity_not_found.
 */
export async function pauseActivity(
  tx: Tx,
  actor: Actor,
  id: number,
  rounds_status: 0 | 1,
): Promise<void> {
  const before = existing(await lockActivity(tx, id));
  if (before.rounds_status !== rounds_status) {
    await updateRoundsStatus(tx, id, rounds_status);
  }
  await insertAudit(tx, actor, {
    action: rounds_status === 0 ? "pause_activity" : "resume_activity",
    object_type: "activity",
    object_id: id,
    before: { rounds_status: before.rounds_status },
    after: { rounds_status },
  });
}

/**
 * Deletes a round; its records remain. Throws activity_not_found, or activity_running if the round
 * is active and inside its window.
 */
export async function deleteActivity(
  tx: Tx,
  actor: Actor,
  id: number,
  timeZone: string,
): Promise<Costed<null>> {
  const seen = existing(await selectActivity(tx, id));
  const valued = await valueRound(tx, timeZone, seen, null);
  const before = existing(await lockActivity(tx, id));
  if (before.rounds_status === 1 && (await selectIsInWindow(tx, id))) {
    throw new AppError("activity_running");
  }
  await markActivityDeleted(tx, id);
  await insertAudit(tx, actor, {
    action: "delete_activity",
    object_type: "activity",
    object_id: id,
    before: toActivity(before, timeZone),
  });
  return { data: null, risk: await riskOfRound(tx, valued, id) };
}
