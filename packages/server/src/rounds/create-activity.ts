import { AppError } from "@red/contract/errors";
import { activityValues } from "./activity-form.ts";
import type { ActivityForm } from "./activity-form.ts";
import { insertActivity, insertActivityRule, selectActivity, toActivity } from "./activity-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";
import { sharePoolByName } from "./pool-sql.ts";

/**
 * Adds an active activity with version 1 of its rule (behaviour §3, §11). Returns its id. Throws
 * pool_not_found, condition_value_not_zero, condition_month_detached, end_after_start; a taken name or an unknown tag violates a
 * constraint.
 */
export async function createActivity(
  tx: Tx,
  actor: Actor,
  form: ActivityForm,
  timeZone: string,
): Promise<number> {
  const pool_id = await sharePoolByName(tx, form.pool_name);
  if (pool_id === null) {
    throw new AppError("pool_not_found");
  }
  const id = await insertActivity(tx, activityValues(form, pool_id, timeZone));
  await insertActivityRule(tx, id);
  const created = await selectActivity(tx, id);
  await insertAudit(tx, actor, {
    action: "create_activity",
    object_type: "activity",
    object_id: id,
    after: created && toActivity(created, timeZone),
  });
  return id;
}
