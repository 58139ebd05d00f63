/** For operators: a player's draw chances, and sums on the latest day with a round (spec §2; behaviour §4). */
import { AppError } from "@red/contract/platform/errors";
import { formatCents } from "@red/contract/platform/money";
import { text } from "@red/contract/platform/texts";
import type { playerRoutes } from "@red/contract/chances/player";
import type { ChanceReader } from "./chance-reader.ts";
import { requirePlayer, selectPlayerByName } from "#players/player-sql";
import { selectPlayerDay } from "./player-info-sql.ts";
import type { Handlers } from "#platform/handlers";
import { requireRound } from "#rounds/activity-sql";

export const playerHandlers = (chances: ChanceReader): Handlers<typeof playerRoutes> => ({
  drawInfo: async ({ db, body }) => {
    const { id } = await requireRound(db, body);
    const { player_id } = await requirePlayer(db, body.user_name);
    const answer = await chances.read(id, player_id);
    if (answer === "round_not_found" || answer === "player_not_found") {
      throw new AppError(answer === "round_not_found" ? "activity_not_found" : "player_unknown");
    }
    const { total, already, remain, limited_by } = answer;
    return { data: { total, already, remain, limited_by } };
  },

  info: async ({ db, body, services, language }) => {
    const player = await selectPlayerByName(db, body.player_name);
    if (player === null) {
      // This call uses another name for the account field.
      const msg = text("player_unknown", language);
      throw new AppError("player_unknown", {}, { errors: [{ field: "player_name", msg }] });
    }
    const { day, deposit_cents, won_cents } = await selectPlayerDay(
      db,
      player.player_key,
      services.settings.timeZone,
    );
    const [first, second, third] = won_cents;
    return {
      data: {
        vaildAmount: formatCents(deposit_cents),
        totalPrice1: formatCents(first),
        totalPrice2: formatCents(second),
        totalPrice3: formatCents(third),
        day,
      },
    };
  },
});
