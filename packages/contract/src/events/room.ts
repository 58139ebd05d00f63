import { depositRoutes } from "./deposit.ts";
import { betRoutes } from "./bet.ts";
import { eventExportRoutes } from "./event-export.ts";
import { ingestRoutes } from "./ingest.ts";

export const eventsCalls = {
  deposit: depositRoutes,
  bet: betRoutes,
  eventExport: eventExportRoutes,
  ingest: ingestRoutes,
} as const;
