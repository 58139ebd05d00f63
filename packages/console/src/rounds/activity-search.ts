import { listSearchOf } from "#lib/search.ts";

export const ACTIVITY_SEARCH = listSearchOf(
  ["start_date", "rounds_name", "tag", "rounds_status"],
  ["new", "edit", "copy"],
);
