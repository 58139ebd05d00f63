import { searchOf } from "#lib/search.ts";

/** `roles` and `sessions` contain the number of an operator. */
export const OPERATOR_SEARCH = searchOf(["new", "roles", "sessions"]);
export const KEY_SEARCH = searchOf(["new"]);

/** `redirect`: the path to open after the sign-in. */
export const LOGIN_SEARCH = searchOf(["redirect"]);
