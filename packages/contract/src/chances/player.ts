/** Draw chances and red-packet information of a player (spec §2 Dialog A, player info; behaviour §4). */
import * as z from "zod/mini";
import { nameWithDay } from "#events/event";
import { date, id, trimmedText } from "#platform/fields";
import { NAME_LENGTH_MAX } from "#platform/limits";
import { DRAW_LIMITS } from "#platform/codes";
import { plain, playerAmount } from "#platform/marks";
import { operator, route } from "#platform/route";

export const drawInfo = z.object({
  total: z.int(),
  already: z.int(),
  remain: z.int(),
  /** The limit that blocks draws now; null if no limit does. */
  limited_by: z.nullable(z.enum(DRAW_LIMITS)),
});
export type DrawInfo = z.output<typeof drawInfo>;

/** The fields are in the order in which the specification checks them (spec §5, Dialog A). */
export const drawInfoQuery = z
  .object({
    user_name: trimmedText("draw_info_account", 64),
    rounds_name: z.optional(trimmedText("draw_info_activity", NAME_LENGTH_MAX)),
    start_date: z.optional(date("draw_info_date")),
    rounds_id: z.optional(id()),
  })
  .check(
    z.refine((query) => query.rounds_id !== undefined || query.rounds_name !== undefined, {
      error: "draw_info_activity",
      path: ["rounds_name"],
    }),
    nameWithDay(),
  );

/** The player info dialog. Field names keep the spelling of the specification, also where it is wrong (spec §3). */
export const playerInfo = z.object({
  /** Sum of the valid deposits of the day. */
  vaildAmount: playerAmount(),
  /** Amount won in the first round of the day; the next two fields are for the second and third round. */
  totalPrice1: playerAmount(),
  totalPrice2: playerAmount(),
  totalPrice3: playerAmount(),
  /** The business day of these figures, `yyyy-MM-dd`; null before the first round. */
  day: z.nullable(plain()),
});

export const playerInfoQuery = z.object({
  player_name: trimmedText("enter_player_name", NAME_LENGTH_MAX),
});

export const playerRoutes = {
  drawInfo: route({
    call: "POST /gred/api/userInfo/lottimes",
    summary: "Total, used and remaining draws of a player in a round",
    ...operator("player.read", "read"),
    body: drawInfoQuery,
    data: drawInfo,
  }),
  info: route({
    call: "POST /red/record/playerInfo",
    summary: "Deposits and prizes of a player on the latest day with a round",
    ...operator("player.read", "read"),
    body: playerInfoQuery,
    data: playerInfo,
  }),
};
