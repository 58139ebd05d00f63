import { drawsCalls } from "@red/contract/draws/room";
import { room } from "#platform/http/room";
import type { ChanceReader } from "#chances/chance-reader";
import type { DrawQueue } from "./draw-queue.ts";
import { playerPageHandlers } from "./player-page-routes.ts";
import { drawHandlers } from "./draw-routes.ts";
import type { OnRefused } from "./draw-routes.ts";

interface Deps {
  readonly draws: DrawQueue;
  readonly chances: ChanceReader;
  readonly onRefused: OnRefused;
}

export const drawsRoom = room(drawsCalls, ({ draws, chances, onRefused }: Deps) => ({
  draw: drawHandlers(draws, chances, onRefused),
  playerPage: playerPageHandlers(chances),
}));
