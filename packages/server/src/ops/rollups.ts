/** Counts the rollups of lists again. */
import { rebuildRollupDay, ROLLED_UP, selectRollupDays } from "#players/rollup-sql";
import { inTransaction } from "#platform/connection";
import type { Call, Command, Report } from "./command.ts";

async function rebuild(call: Call): Promise<Report> {
  const db = await call.open("current");
  const mended: Record<string, number> = {};
  for (const list of ROLLED_UP) {
    let wrong = 0;
    for (const day of await selectRollupDays(db, list)) {
      wrong += await inTransaction(db, (tx) => rebuildRollupDay(tx, list, day));
    }
    mended[list] = wrong;
  }
  const lines = Object.entries(mended).map(
    ([list, wrong]) => `${list}: ${wrong} rollups were wrong`,
  );
  return { json: { mended }, lines };
}

export const rollupsCommand: Command = {
  name: "rollups rebuild",
  summary:
    "count the rollups of lists again from their rows, a day at a time, beside a running server",
  options: {},
  run: rebuild,
};
