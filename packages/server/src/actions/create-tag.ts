/** Adds an activity group (behaviour §3). */
import { insertTag } from "#db/activity-tag";
import type { Tag } from "#db/activity-tag";
import { insertAudit } from "#db/audit";
import type { Actor } from "#db/audit";
import type { Tx } from "#db/connection";

/** Adds an activity group; the constraint tells a taken key. */
export async function createTag(tx: Tx, actor: Actor, tag: Tag): Promise<void> {
  await insertTag(tx, tag);
  await insertAudit(tx, actor, {
    action: "create_tag",
    object_type: "tag",
    object_id: tag.tag,
    after: tag,
  });
}
