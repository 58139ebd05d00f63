import { lookupRoutes } from "./lookup.ts";
import { activityRoutes } from "./activity.ts";
import { redCodeRoutes, tagRoutes } from "./tag.ts";

export const roundsCalls = {
  lookup: lookupRoutes,
  activity: activityRoutes,
  tag: tagRoutes,
  redCode: redCodeRoutes,
} as const;
