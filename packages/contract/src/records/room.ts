import { recordRoutes } from "./record.ts";
import { findRoutes } from "./find.ts";
import { jobRoutes } from "./job.ts";
import { legacyRoutes } from "./legacy.ts";

export const recordsCalls = {
  record: recordRoutes,
  find: findRoutes,
  job: jobRoutes,
  older: legacyRoutes,
} as const;
