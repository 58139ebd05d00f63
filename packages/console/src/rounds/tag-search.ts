import { searchOf } from "#lib/search.ts";

export const TAG_SEARCH = searchOf(["new", "edit", "key"]);
