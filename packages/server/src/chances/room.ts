import { chancesCalls } from "@red/contract/chances/room";
import { room } from "#platform/http/room";
import type { ChanceReader } from "./chance-reader.ts";
import { playerHandlers } from "./player-routes.ts";
import { playerViewHandlers } from "./player-view-routes.ts";

export const chancesRoom = room(chancesCalls, (deps: { readonly chances: ChanceReader }) => ({
  player: playerHandlers(deps.chances),
  playerView: playerViewHandlers,
}));
