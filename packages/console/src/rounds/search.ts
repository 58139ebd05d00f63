import { listSearchOf, searchOf } from "#lib/search.ts";

export const ACTIVITY_SEARCH = listSearchOf(
  ["start_date", "rounds_name", "tag", "rounds_status"],
  ["new", "edit", "copy"],
);

export const TAG_SEARCH = searchOf(["new", "edit", "key"]);
