/** What operators see of deposits (spec §2, §3; behaviour §11). The calls of ingest.ts create the deposits. */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { arrivalShape, eventFilterShape, nameWithDay } from "./event.ts";
import { numberCode, paging } from "#platform/fields";
import { PAGE_SIZE_MAX } from "#platform/limits";
import { CHANNEL_CODES, CLIENT_CODES } from "#platform/codes";
import { account, plain, playerAmount, words } from "#platform/marks";
import { operator, route } from "#platform/route";

export const deposit = z.object({
  user_name: account(),
  amount: playerAmount(),
  created_at: plain(),
  ...arrivalShape,
  order_no: plain(),
  /**
   * Any number is valid: the console shows an unlisted code as unknown, so one code cannot make the whole list fail.
   */
  channel: z.int(),
  client: z.int(),
  /** A reversed deposit stays in the list, but the total leaves it out and it earns no draws. */
  reversed: z.boolean(),
  reversed_at: z.nullable(plain()),
  /** In the platform's words; null if the platform gave no reason. */
  reversal_reason: z.nullable(words()),
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
    data: z.extend(listOf(deposit), { depositTotal: playerAmount() }),
  }),
};
