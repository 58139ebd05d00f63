/** What the address of the extra times holds: the account, the page, and whether the pasted list is open. */
import { listSearchOf } from "#lib/search.ts";

export const EXTRA_TIMES_SEARCH = listSearchOf(["user_name"], ["grant"]);
