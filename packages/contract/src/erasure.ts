/** Erasing a player: what happened stays, whom it happened to goes (behaviour §3). */
import * as z from "zod/mini";
import { trimmedText } from "./fields.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { route } from "./route.ts";

export const erasureRoutes = {
  erase: route({
    method: "POST",
    path: "/gred/api/player/erase",
    summary: "Erase a player for good; code 402 asks for a one-time code or says that it is wrong",
    auth: { by: "operator", permission: "player.erase" },
    access: "write",
    body: z.strictObject({
      user_name: trimmedText("enter_account", NAME_LENGTH_MAX),
      code: z.optional(z.nullable(z.string({ error: "not_a_text" }).check(z.trim()))),
    }),
    /** The name that stands for id and account from now on; null with code 402. */
    data: z.nullable(z.object({ player_id: z.string() })),
  }),
};
