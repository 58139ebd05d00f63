/** Player: draw chances (spec §2 Dialog A; behaviour §4). */
import * as z from "zod/mini";
import { date, id, name } from "./fields.ts";
import { NAME_LENGTH_MAX } from "./limits.ts";
import { route } from "./route.ts";

/** Draws of a player in a round: granted, used, left. */
export const drawInfo = z.object({ total: z.int(), already: z.int(), remain: z.int() });
export type DrawInfo = z.output<typeof drawInfo>;

/** The order of the checks is the specification's (spec §5, Dialog A). */
export const drawInfoQuery = z
  .object({
    user_name: name("draw_info_account", 64),
    rounds_name: z.optional(name("draw_info_activity", NAME_LENGTH_MAX)),
    start_date: z.optional(date("draw_info_date")),
    rounds_id: z.optional(id()),
  })
  .check(
    z.refine((query) => query.rounds_id !== undefined || query.rounds_name !== undefined, {
      error: "draw_info_activity",
      path: ["rounds_name"],
    }),
    z.refine(
      (query) =>
        query.rounds_id !== undefined ||
        query.rounds_name === undefined ||
        query.start_date !== undefined,
      { error: "draw_info_date", path: ["start_date"] },
    ),
  );

export const playerRoutes = {
  drawInfo: route({
    method: "POST",
    path: "/gred/api/userInfo/lottimes",
    summary: "Total, used and remaining draws of a player in a round",
    auth: { by: "operator", permission: "player.read" },
    access: "read",
    body: drawInfoQuery,
    data: drawInfo,
  }),
};
