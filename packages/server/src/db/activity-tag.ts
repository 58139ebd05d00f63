/** Activity groups: the keys of `tag` and what they are called. */
import type { Db } from "./connection.ts";

/** Every group, key to label, in the order of the keys. */
export async function selectTags(db: Db): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom("activity_tag")
    .select(["tag", "label"])
    .orderBy("tag")
    .execute();
  return Object.fromEntries(rows.map(({ tag, label }) => [tag, label]));
}

/** Is there a group of this key? Groups are never deleted. */
export async function selectHasTag(db: Db, tag: string): Promise<boolean> {
  const row = await db
    .selectFrom("activity_tag")
    .select("tag")
    .where("tag", "=", tag)
    .executeTakeFirst();
  return row !== undefined;
}
