import { listSearchOf } from "#lib/search.ts";

export const EXCLUSION_SEARCH = listSearchOf(["user_name", "kind", "state"], ["new", "lift"]);
