import { listSearchOf, searchOf } from "#lib/search.ts";

export const PLAYER_SEARCH = searchOf(["dialog"]);

export const EXTRA_TIMES_SEARCH = listSearchOf(["user_name", "batch_id"], ["grant", "take"]);

export const EXCLUSION_SEARCH = listSearchOf(["user_name", "kind", "state"], ["new", "lift"]);
