/** Erasing a player removes the name and keeps the events (behaviour §3). */
import * as z from "zod/mini";
import { accountName } from "#platform/fields";
import { account } from "#platform/marks";
import { operator, route } from "#platform/route";

/** Tables in which a word may still mean the player after the erasure. */
export const ERASURE_PLACES = [
  "audit_log",
  "approval",
  "stop_switch",
  "sheet_sign_off",
  "payout",
  "job_row",
  "exclusion",
  "extra_time_taken_back",
  "reconciliation",
  "reconciliation_break",
  "wallet_entry",
] as const;

const erasureLeft = z.object({ place: z.enum(ERASURE_PLACES), rows: z.int() });
export type ErasureLeft = z.output<typeof erasureLeft>;

export const erasureRoutes = {
  erase: route({
    call: "POST /gred/api/player/erase",
    summary: "Erase a player for good",
    ...operator("player.erase", "write", "code"),
    body: z.strictObject({ user_name: accountName() }),
    data: z.object({
      /** The new id and the new account. */
      player_id: account(),
      /** Rows that the erasure did not change, because the word may mean something else. */
      left: z.array(erasureLeft),
    }),
  }),
};
