import { searchOf } from "#lib/search.ts";

export const PLAYER_SEARCH = searchOf(["dialog"]);
