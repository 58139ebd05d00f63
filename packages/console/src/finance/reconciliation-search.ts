import { listSearchOf } from "#lib/search.ts";

export const RECONCILIATION_SEARCH = listSearchOf(["kind", "open", "rounds_id"]);
