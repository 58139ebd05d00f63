import * as z from "zod/mini";
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

export const QUERY_SEARCH = listSearchOf([
  "start_date",
  "rounds_name",
  "achieve_start_time",
  "achieve_end_time",
  "type",
  "user_name",
]);

const asked = z.object({
  start_date: z.string(),
  rounds_name: z.string(),
  achieve_start_time: z.string(),
  achieve_end_time: z.string(),
  type: z.optional(z.string()),
  user_name: z.string(),
});

/** Returns the filter in the address, or null while a required field is missing. */
export function askedOf(search: ReturnType<typeof QUERY_SEARCH.filter>) {
  return asked.safeParse(search).data ?? null;
}
