import { eventsCalls } from "@red/contract/events/room";
import { room } from "#platform/http/room";
import { startChunker } from "./event-chunk-job.ts";
import { betHandlers, depositHandlers, eventExportHandlers } from "./event-routes.ts";
import { makeMonths } from "./event-sql.ts";
import { ingestHandlers } from "./ingest-routes.ts";

export const eventsRoom = room(
  eventsCalls,
  () => ({
    deposit: depositHandlers,
    bet: betHandlers,
    eventExport: eventExportHandlers,
    ingest: ingestHandlers,
  }),
  {
    jobs: (deps) => [startChunker(deps)],
    chores: () => [{ done: "months made ahead", run: makeMonths }],
  },
);
