import { listSearchOf } from "#lib/search.ts";

export const MONTH_SEARCH = listSearchOf(["month"]);

export const SHEET_SEARCH = listSearchOf(["rounds_id"]);
