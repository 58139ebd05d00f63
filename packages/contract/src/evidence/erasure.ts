/** Erasing a player: what happened stays, whom it happened to goes (behaviour §3). */
import * as z from "zod/mini";
import { accountName } from "#platform/fields";
import { account } from "#platform/marks";
import { operator, route } from "#platform/route";

/** Where words may still mean the player. */
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
      /** The name that stands for id and account from now on. */
      player_id: account(),
      /** Rows that were not touched, since the word there may mean something else. */
      left: z.array(erasureLeft),
    }),
  }),
};
