import { roundsCalls } from "@red/contract/rounds/room";
import { room } from "#platform/http/room";
import { activityHandlers } from "./activity-routes.ts";
import { lookupHandlers } from "./lookup-routes.ts";
import { redCodeHandlers, tagHandlers } from "./tag-routes.ts";

export const roundsRoom = room(roundsCalls, () => ({
  lookup: lookupHandlers,
  activity: activityHandlers,
  tag: tagHandlers,
  redCode: redCodeHandlers,
}));
