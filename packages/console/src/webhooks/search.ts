import { listSearchOf } from "#lib/search.ts";

export const WEBHOOK_SEARCH = listSearchOf(["state", "type", "trans_sn"]);
