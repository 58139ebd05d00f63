import { listSearchOf, searchOf } from "#lib/search.ts";

export const RECONCILIATION_SEARCH = listSearchOf(["kind", "open", "rounds_id"]);

export const MONTH_SEARCH = searchOf(["month"]);

export const SHEET_SEARCH = listSearchOf(["rounds_id"]);
