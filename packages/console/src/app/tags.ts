/**
 * The open pages of the tags view (spec §2 "Shell"), one per path, each with the query that it was
 * left with. Closing answers where to go when the open page itself was closed.
 */
import * as z from "zod/mini";

const tagSchema = z.object({
  path: z.string(),
  /** `?user_name=player01`, or empty. */
  search: z.string(),
  /** Key of the page's title. */
  title: z.string(),
});
export type Tag = z.output<typeof tagSchema>;
type Tags = readonly Tag[];

const tagsSchema = z.catch(z.array(tagSchema), []);

/** What was kept, or nothing where it is no such list. */
export function tagsOf(kept: unknown): Tags {
  return tagsSchema.parse(kept);
}

/** The open page has a tag, with its newest query. */
export function visit(tags: Tags, open: Tag): Tags {
  return tags.some(({ path }) => path === open.path)
    ? tags.map((tag) => (tag.path === open.path ? open : tag))
    : [...tags, open];
}

export interface Closed {
  readonly tags: Tags;
  /** The page to open; null to stay. */
  readonly goTo: Tag | "home" | null;
}

/** Without one page. Closing the open one leads to its neighbour on the right, else on the left. */
export function close(tags: Tags, path: string, openPath: string): Closed {
  const index = tags.findIndex((tag) => tag.path === path);
  const rest = tags.filter((tag) => tag.path !== path);
  return {
    tags: rest,
    goTo: path === openPath ? (rest[index] ?? rest.at(-1) ?? "home") : null,
  };
}

/** Only the one page, which is opened unless it is already. */
export function closeOthers(tags: Tags, path: string, openPath: string): Closed {
  const rest = tags.filter((tag) => tag.path === path);
  return { tags: rest, goTo: path === openPath ? null : (rest[0] ?? null) };
}

export function closeAll(): Closed {
  return { tags: [], goTo: "home" };
}
