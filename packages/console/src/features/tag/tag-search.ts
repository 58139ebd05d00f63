/** What the address of groups and message codes holds: the dialog that is open, and for which of them. */
import { searchOf } from "#lib/search.ts";

export const TAG_SEARCH = searchOf(["new", "edit", "key"]);
