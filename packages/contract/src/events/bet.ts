/** What operators see of bets (spec §2, §3; behaviour §11). The calls of ingest.ts create the bets. */
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
  /** Platform code. The console shows an unlisted code as unknown. */
  type: z.int(),
  created_at: plain(),
  ...arrivalShape,
  bet_no: plain(),
  /** A voided bet stays in the list, but the total leaves it out and it earns no draws. */
  voided: z.boolean(),
  voided_at: z.nullable(plain()),
  /** In the platform's words; null if the platform gave no reason. */
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
