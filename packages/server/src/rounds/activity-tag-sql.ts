/** Activity groups: the keys of `tag` and what they are called. They are never deleted. */
import type { Db, Tx } from "#platform/connection";

export interface Tag {
  readonly tag: string;
  readonly label: string;
}

/** Every group, in the order of the keys. */
export async function selectTags(db: Db): Promise<Tag[]> {
  return await db.selectFrom("activity_tag").select(["tag", "label"]).orderBy("tag").execute();
}

/** Is there a group of this key? */
export async function selectHasTag(db: Db, tag: string): Promise<boolean> {
  const row = await db
    .selectFrom("activity_tag")
    .select("tag")
    .where("tag", "=", tag)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a group; the key being taken is a violation of activity_tag_pkey. */
export async function insertTag(tx: Tx, tag: Tag): Promise<void> {
  await tx.insertInto("activity_tag").values(tag).execute();
}

/** Locks a group for a change of its label; null when there is none. */
export async function lockTag(tx: Tx, tag: string): Promise<Tag | null> {
  const row = await tx
    .selectFrom("activity_tag")
    .select(["tag", "label"])
    .where("tag", "=", tag)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Gives a locked group another label. */
export async function updateTag(tx: Tx, { tag, label }: Tag): Promise<void> {
  await tx.updateTable("activity_tag").set({ label }).where("tag", "=", tag).execute();
}
