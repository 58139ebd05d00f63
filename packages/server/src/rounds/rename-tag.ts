/** Gives an activity group another label (behaviour §3). */
import { AppError } from "@red/contract/errors";
import { lockTag, updateTag } from "./activity-tag-sql.ts";
import type { Tag } from "./activity-tag-sql.ts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/connection";

/** Changes the label; the key, which activities and extra times name, stays. Throws tag_not_found. */
export async function renameTag(tx: Tx, actor: Actor, tag: Tag): Promise<void> {
  const before = await lockTag(tx, tag.tag);
  if (before === null) {
    throw new AppError("tag_not_found");
  }
  await updateTag(tx, tag);
  await insertAudit(tx, actor, {
    action: "rename_tag",
    object_type: "tag",
    object_id: tag.tag,
    before,
    after: tag,
  });
}
