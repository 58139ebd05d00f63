/**
 * The week of operation (behaviour §13) by the documented calls only: one run against a system that it starts.
 * Prints one line per claim, as calls.ts does; status 1 when one fails.
 *
 *   tsx e2e/outside/week.ts [--dir DIR] [--keep]
 */
import { parseArgs } from "node:util";
import { part, verdict } from "./claims.ts";
import { DAYS } from "./week/days.ts";
import { openWeek } from "./week/stage.ts";

const { values: options } = parseArgs({
  options: {
    dir: { type: "string", default: process.cwd() },
    keep: { type: "boolean", default: false },
  },
});

await part("the week", async () => {
  const { week, close } = await openWeek(options.dir);
  for (const { name, live } of DAYS) {
    await part(name, () => live(week));
  }
  await close(options.keep);
});
process.exit(verdict());
