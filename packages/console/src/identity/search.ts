/** Address fields of the room's pages. */
import { searchOf } from "#lib/search.ts";

/** `roles` and `sessions` name an operator by number. */
export const OPERATOR_SEARCH = searchOf(["new", "roles", "sessions"]);
export const KEY_SEARCH = searchOf(["new"]);

/** Where to go after signing in. */
export const LOGIN_SEARCH = searchOf(["redirect"]);
