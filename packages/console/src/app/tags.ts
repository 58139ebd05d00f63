/** The open pages of the tags view (spec §2 "Shell"). Each path has one tag, which keeps the last query. */
import * as z from "zod/mini";

const tagSchema = z.object({
  path: z.string(),
  /** The query with its question mark (`?user_name=player01`), or an empty string. */
  search: z.string(),
  title: z.string(),
});
export type Tag = z.output<typeof tagSchema>;
type Tags = readonly Tag[];

const tagsSchema = z.catch(z.array(tagSchema), []);

export function tagsOf(kept: unknown): Tags {
  return tagsSchema.parse(kept);
}

export function visit(tags: Tags, open: Tag): Tags {
  return tags.some(({ path }) => path === open.path)
    ? tags.map((tag) => (tag.path === open.path ? open : tag))
    : [...tags, open];
}

export interface Closed {
  readonly tags: Tags;
  /** The page to open next. Null: the open page stays. */
  readonly goTo: Tag | "home" | null;
}

/**
 * Closes the tag of a page. If the page is open, its right neighbour opens, otherwise its left neighbour, otherwise
 * home.
 */
export function close(tags: Tags, path: string, openPath: string): Closed {
  const index = tags.findIndex((tag) => tag.path === path);
  const rest = tags.filter((tag) => tag.path !== path);
  return {
    tags: rest,
    goTo: path === openPath ? (rest[index] ?? rest.at(-1) ?? "home") : null,
  };
}

export function closeOthers(tags: Tags, path: string, openPath: string): Closed {
  const rest = tags.filter((tag) => tag.path === path);
  return { tags: rest, goTo: path === openPath ? null : (rest[0] ?? null) };
}
