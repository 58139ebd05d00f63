/** What operators see of bets (spec §2, §3; behaviour §11). Fed in by ingest.ts. */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { arrivalShape, eventFilterShape, nameWithDay } from "./event.ts";
import { numberCode, paging } from "#platform/fields";
import { PAGE_SIZE_MAX } from "#platform/limits";
import { PLATFORM_CODES } from "#platform/codes";
import { account, plain, playerAmount, words } from "#platform/marks";
import { operator, route } from "#platform/route";

export const bet = z.object({
  user_name: account(),
  validBetAmount: playerAmount(),
  /** Platform code; an unlisted one is shown as unknown. */
  type: z.int(),
  created_at: plain(),
  ...arrivalShape,
  bet_no: plain(),
  /** It stays in the list, is not in the total, and no longer counts. */
  voided: z.boolean(),
  /** Null while it counts. */
  voided_at: z.nullable(plain()),
  /** In the platform's words; null: without a reason. */
  void_reason: z.nullable(words()),
});
export type Bet = z.output<typeof bet>;

export const betFilterShape = {
  ...eventFilterShape,
  type: z.optional(numberCode(PLATFORM_CODES)),
};

export const betRoutes = {
  list: route({
    call: "POST /gred/api/userInfo/betlog",
    summary: "Bets, newest first, with their total over all matches",
    ...operator("player.read", "read"),
    body: z.object({ ...betFilterShape, ...paging(PAGE_SIZE_MAX) }).check(nameWithDay()),
    data: z.extend(listOf(bet), { betlogTotal: playerAmount() }),
  }),
};
