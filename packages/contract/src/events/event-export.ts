import * as z from "zod/mini";
import { betFilterShape } from "./bet.ts";
import { depositFilterShape } from "./deposit.ts";
import { nameWithDay } from "./event.ts";
import { fileFormat } from "#platform/fields";
import { operator, route } from "#platform/route";

/** Only deposits accept `start_date` and `rounds_name` (spec §7). */
const eventExport = z
  .object({
    kind: z.enum(["deposit", "betlog"], { error: "not_in_set" }),
    ...depositFilterShape,
    ...betFilterShape,
    format: fileFormat(),
  })
  .check(
    z.refine(
      ({ kind, start_date, start_time, end_time, rounds_id }) =>
        (kind === "deposit" && start_date !== undefined) ||
        rounds_id !== undefined ||
        (start_time !== undefined && end_time !== undefined),
      { error: "choose_export_dates", path: ["start_time"] },
    ),
    nameWithDay(({ kind }) => kind === "deposit"),
  );

export const eventExportRoutes = {
  exportFile: route({
    call: "GET /gred/api/userInfo/excel",
    summary: "Deposits or bets as a file, newest first; a time has to be chosen",
    ...operator("player.read", "download"),
    query: eventExport,
  }),
};
