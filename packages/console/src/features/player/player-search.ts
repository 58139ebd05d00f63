/** What the address of the user data query holds: the dialog that is open. */
import { searchOf } from "#lib/search.ts";

export const PLAYER_SEARCH = searchOf(["dialog"]);
