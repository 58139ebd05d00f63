import { AppError } from "@red/contract/errors";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { lockActivity, updateRoundsStatus } from "./activity-sql.ts";
import type { Tx } from "#platform/connection";

/**
 * Sets an activity to 0 (paused) or 1 (active) (spec §4, behaviour §11); repeating it changes nothing. Draws
 * in flight hold the row shared, so no draw commits after a committed pause (behaviour §5). Throws
 * activity_not_found.
 */
export async function pauseActivity(
  tx: Tx,
  actor: Actor,
  id: number,
  rounds_status: 0 | 1,
): Promise<void> {
  const before = await lockActivity(tx, id);
  if (before === null) {
    throw new AppError("activity_not_found");
  }
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
