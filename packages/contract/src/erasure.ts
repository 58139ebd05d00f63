/** Erasing a player: what happened stays, whom it happened to goes (behaviour §3). */
import * as z from "zod/mini";
import { trimmedText } from "./fields.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { operator, route } from "./route.ts";

export const erasureRoutes = {
  erase: route({
    call: "POST /gred/api/player/erase",
    summary: "Erase a player for good; code 402 asks for a one-time code or says that it is wrong",
    ...operator("player.erase", "write"),
    body: z.strictObject({
      user_name: trimmedText("enter_account", NAME_LENGTH_MAX),
      code: z.optional(z.nullable(z.string({ error: "not_a_text" }).check(z.trim()))),
    }),
    /** The name that stands for id and account from now on; null with code 402. */
    data: z.nullable(z.object({ player_id: z.string() })),
  }),
};
