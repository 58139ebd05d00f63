/** What the address of the reconciliation holds: the filter and the page. */
import { listSearchOf } from "#lib/search.ts";

export const RECONCILIATION_SEARCH = listSearchOf(["kind", "open", "rounds_id"]);
