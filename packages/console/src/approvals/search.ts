import { listSearchOf } from "#lib/search.ts";

export const APPROVAL_SEARCH = listSearchOf(["state"]);
