/** The finder searches all kinds of rows for a number or a name in one call (behaviour §11). */
import * as z from "zod/mini";
import { trimmedText } from "#platform/fields";
import { NAME_LENGTH_MAX } from "#platform/limits";
import { account, plain } from "#platform/marks";
import { operator, route } from "#platform/route";

/**
 * Returns a payout number, or its start, from a text that may contain whitespace or the ellipsis of a
 * shortened number. Returns null for any other text.
 */
export function payoutNumber(text: string): string | null {
  const digits = text.replaceAll(/[\s…]/g, "").toLowerCase();
  return /^[0-9a-f-]{6,}$/.test(digits) ? digits : null;
}

/** Maximum number of rows of each kind in a response. */
export const FOUND_MAX = 8;

const found = z.object({
  players: z.array(z.object({ player_id: account(), user_name: account(), blocked: z.boolean() })),
  records: z.array(z.object({ trans_sn: plain(), user_name: account(), award_name: plain() })),
  orders: z.array(
    z.object({
      kind: z.enum(["deposit", "bet"]),
      number: plain(),
      user_name: account(),
      created_at: plain(),
    }),
  ),
  rounds: z.array(z.object({ id: z.int(), rounds_name: plain(), start_date: plain() })),
  pools: z.array(z.object({ id: z.int(), pool_name: plain() })),
  prizes: z.array(z.object({ pool_id: z.int(), pool_name: plain(), award_name: plain() })),
  /** True if a kind has more rows than the response contains. */
  more: z.boolean(),
});
export type Found = z.output<typeof found>;

export const findRoutes = {
  find: route({
    call: "POST /gred/api/find",
    summary:
      "Players by the start of their account, records by the start of their number, deposits and bets by theirs, rounds, pools and prizes by " +
      "a part of their name; each only with the permission to read it",
    ...operator("signed_in", "read"),
    body: z.object({ text: trimmedText("enter_find_text", NAME_LENGTH_MAX) }),
    data: found,
  }),
};
