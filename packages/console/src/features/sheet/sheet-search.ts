/** What the address of the sheets holds: the round. */
import { listSearchOf } from "#lib/search.ts";

export const SHEET_SEARCH = listSearchOf(["rounds_id"]);
