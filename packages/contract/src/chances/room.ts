import { playerRoutes } from "./player.ts";
import { playerViewRoutes } from "./player-view.ts";

export const chancesCalls = { player: playerRoutes, playerView: playerViewRoutes } as const;
