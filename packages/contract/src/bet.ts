/** What operators see of bets (spec §2, §3; behaviour §11). Fed in by ingest.ts. */
import * as z from "zod/mini";
import { listOf } from "./envelope.ts";
import { date, dateTime, filterText, id, numberCode, paging } from "./fields.ts";
import { PAGE_SIZE_MAX } from "./limits.ts";
import { PLATFORM_CODES } from "./lookups.ts";
import { route } from "./route.ts";

export const bet = z.object({
  user_name: z.string(),
  validBetAmount: z.string(),
  /** Platform code. */
  type: z.literal(PLATFORM_CODES),
  created_at: z.string(),
  bet_no: z.string(),
  /** Void: stays visible and counts no more; it is in the list, not in the total. */
  voided: z.boolean(),
});
export type Bet = z.output<typeof bet>;

/** With a round named, its condition window is the time filter. */
export const betFilterShape = {
  user_name: z.optional(filterText()),
  start_time: z.optional(dateTime()),
  end_time: z.optional(dateTime()),
  start_date: z.optional(date()),
  rounds_name: z.optional(filterText()),
  rounds_id: z.optional(id()),
  type: z.optional(numberCode(PLATFORM_CODES)),
};

export const betRoutes = {
  list: route({
    method: "POST",
    path: "/gred/api/userInfo/betlog",
    summary: "Bets, newest first, with their total over all matches",
    auth: { by: "operator", permission: "player.read" },
    access: "read",
    body: z.object({ ...betFilterShape, ...paging(PAGE_SIZE_MAX) }),
    data: z.extend(listOf(bet), { betlogTotal: z.string() }),
  }),
};
