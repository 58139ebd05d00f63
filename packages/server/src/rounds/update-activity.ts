import { AppError } from "@red/contract/errors";
import { activityValues } from "./activity-form.ts";
import type { ActivityForm } from "./activity-form.ts";
import {
  insertActivityRule,
  lockActivity,
  selectActivity,
  toActivity,
  updateActivity as updateActivityRow,
} from "./activity-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { sharePoolByName } from "./pool-sql.ts";

interface ActivitySave extends ActivityForm {
  /** The version that the form was loaded from; older clients leave it out. */
  readonly version?: number | undefined;
}

/**
 * Saves an activity (behaviour §3, §11) and stores its rule under a new version, even without a change.
 * Returns the version. Throws activity_not_found, stale_version, pool_not_found, condition_month_detached
 * and what activityValues throws; a taken name or an unknown tag violates a constraint.
 */
export async function updateActivity(
  tx: Tx,
  actor: Actor,
  id: number,
  save: ActivitySave,
  timeZone: string,
): Promise<number> {
  const pool_id = await sharePoolByName(tx, save.pool_name);
  const before = await lockActivity(tx, id);
  if (before === null) {
    throw new AppError("activity_not_found");
  }
  if (save.version !== undefined && save.version !== before.version) {
    throw new AppError("stale_version");
  }
  if (pool_id === null) {
    throw new AppError("pool_not_found");
  }
  const version = await updateActivityRow(tx, id, activityValues(save, pool_id, timeZone));
  await insertActivityRule(tx, id);
  const after = await selectActivity(tx, id);
  await insertAudit(tx, actor, {
    action: "update_activity",
    object_type: "activity",
    object_id: id,
    before: toActivity(before, timeZone),
    after: after && toActivity(after, timeZone),
  });
  return version;
}
