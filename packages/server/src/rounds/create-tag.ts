/** Adds an activity group (behaviour §3). */
import { insertTag } from "./activity-tag-sql.ts";
import type { Tag } from "./activity-tag-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";

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
