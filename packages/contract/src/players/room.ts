import { extraTimesRoutes } from "./extra-times.ts";
import { exclusionRoutes } from "./exclusion.ts";

export const playersCalls = { extraTimes: extraTimesRoutes, exclusion: exclusionRoutes } as const;
