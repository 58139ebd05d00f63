import { watchCalls } from "@red/contract/watch/room";
import { room } from "#platform/http/room";
import type { Logger } from "pino";
import type { Db } from "#platform/db/connection";
import type { Services } from "#platform/handlers";
import { watchHandlers } from "./watch-routes.ts";

interface Deps {
  readonly readDb: Db;
  readonly services: Services;
  readonly log: Pick<Logger, "warn">;
}

export const watchRoom = room(watchCalls, ({ readDb, services, log }: Deps) => ({
  watch: watchHandlers(readDb, services.settings.timeZone, log),
}));
