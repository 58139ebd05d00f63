import { listSearchOf } from "#lib/search.ts";

export const SHEET_SEARCH = listSearchOf(["rounds_id"]);
