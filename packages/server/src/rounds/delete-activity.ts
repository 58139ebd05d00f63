import { AppError } from "@red/contract/errors";
import { lockActivity, markActivityDeleted, selectIsInWindow, toActivity } from "./activity-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";

/**
 * Deletes an activity (behaviour §3); its records stay. Throws activity_not_found, and activity_running while
 * it is active and inside its window.
 */
export async function deleteActivity(
  tx: Tx,
  actor: Actor,
  id: number,
  timeZone: string,
): Promise<void> {
  const before = await lockActivity(tx, id);
  if (before === null) {
    throw new AppError("activity_not_found");
  }
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
}
