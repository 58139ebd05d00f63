import { listSearchOf } from "#lib/search.ts";

export const EXTRA_TIMES_SEARCH = listSearchOf(["user_name", "batch_id"], ["grant", "take"]);
