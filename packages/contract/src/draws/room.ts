import { drawRoutes } from "./draw.ts";
import { playerPageRoutes } from "./player-page.ts";

export const drawsCalls = { draw: drawRoutes, playerPage: playerPageRoutes } as const;
