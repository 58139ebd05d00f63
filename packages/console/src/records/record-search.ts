import { listSearchOf } from "#lib/search.ts";

export const RECORD_SEARCH = listSearchOf(
  [
    "user_name",
    "award_name",
    "award_price",
    "award_status",
    "rounds_id",
    "trans_sn",
    "payout_state",
    "drawn_prize",
    "start_time",
    "end_time",
    "order",
  ],
  ["dialog"],
);
