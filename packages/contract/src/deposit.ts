/** What operators see of deposits (spec §2, §3; behaviour §11). Fed in by ingest.ts. */
import * as z from "zod/mini";
import { listOf } from "./envelope.ts";
import { eventFilterShape, nameWithDay } from "./event-filter.ts";
import { arrivalShape } from "./explanation.ts";
import { numberCode, paging } from "./fields.ts";
import { PAGE_SIZE_MAX } from "./limits.ts";
import { CHANNEL_CODES, CLIENT_CODES } from "./lookups.ts";
import { operator, route } from "./route.ts";

export const deposit = z.object({
  user_name: z.string(),
  amount: z.string(),
  created_at: z.string(),
  ...arrivalShape,
  order_no: z.string(),
  /** Unlisted codes are shown as unknown: they must not make the whole list fail. */
  channel: z.int(),
  client: z.int(),
  /** Stays in the list but not in the total, and no longer counts. */
  reversed: z.boolean(),
  /** Null while it counts. */
  reversed_at: z.nullable(z.string()),
  /** In the platform's words; null if it gave none. */
  reversal_reason: z.nullable(z.string()),
});
export type Deposit = z.output<typeof deposit>;

export const depositFilterShape = {
  ...eventFilterShape,
  channel: z.optional(numberCode(CHANNEL_CODES)),
  client: z.optional(numberCode(CLIENT_CODES)),
};

export const depositRoutes = {
  list: route({
    call: "POST /gred/api/userInfo/deposit",
    summary: "Deposits, newest first, with their total over all matches",
    ...operator("player.read", "read"),
    body: z.object({ ...depositFilterShape, ...paging(PAGE_SIZE_MAX) }).check(nameWithDay()),
    data: z.extend(listOf(deposit), { depositTotal: z.string() }),
  }),
};
