import { playersCalls } from "@red/contract/players/room";
import { room } from "#platform/http/room";
import { exclusionHandlers } from "./exclusion-routes.ts";
import { extraTimesHandlers } from "./extra-times-routes.ts";

export const playersRoom = room(playersCalls, () => ({
  extraTimes: extraTimesHandlers,
  exclusion: exclusionHandlers,
}));
