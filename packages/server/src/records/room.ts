import { recordsCalls } from "@red/contract/records/room";
import { room } from "#platform/http/room";
import type { Db } from "#platform/db/connection";
import { deleteOldExports } from "./export-files.ts";
import { findHandlers } from "./find-routes.ts";
import { jobHandlers } from "./job-routes.ts";
import { legacyHandlers } from "./legacy-routes.ts";
import { recordHandlers } from "./record-routes.ts";

interface Deps {
  readonly exportDb: Db;
  readonly dataDir: string;
  readonly signal: AbortSignal;
}

export const recordsRoom = room(
  recordsCalls,
  (deps: Deps) => ({
    record: recordHandlers,
    find: findHandlers,
    job: jobHandlers(deps),
    older: legacyHandlers,
  }),
  {
    chores: ({ dataDir }) => [{ done: "files of exports deleted", run: deleteOldExports(dataDir) }],
  },
);
