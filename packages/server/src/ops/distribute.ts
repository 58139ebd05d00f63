/** Spreads deposits and bets over the machines of a Citus cluster. Says first what it will do. */
import { inTransaction } from "#platform/db/connection";
import { insertAudit } from "#platform/audit";
import { migrate } from "#platform/db/migrate";
import { freeEvents, selectSpreading, spreadEvents } from "#events/distribute-sql";
import type { Call, Command, Report } from "./command.ts";
import { workAlone } from "./connect.ts";

const SHARDS = 32;

async function run(call: Call): Promise<Report> {
  const db = await call.open("current");
  const found = await selectSpreading(db);
  if (found.citus === null || found.workers === 0) {
    throw new Error("there is no cluster: create the extension citus here and add workers first");
  }
  if (found.are_spread && !call.has("yes")) {
    return { json: { ...found, done: false }, lines: ["deposits and bets are spread already"] };
  }
  const lines = [
    `deposits and bets, about ${found.rows} rows, ${(found.bytes / 1e9).toFixed(2)} GB, are spread by player over ${SHARDS} shards on ${found.workers} workers`,
    "their keys then begin with the player: the same number for two players at once is no longer refused by the database",
    "rounds, pools, prizes, draws, payouts and counts stay here, in the same transactions",
    "there is no way back but a restore: make a backup first",
  ];
  if (!call.has("yes")) {
    return {
      json: { ...found, done: false },
      lines: [...lines, "Nothing was done. To go ahead, add --yes."],
    };
  }
  const after = { shards: SHARDS, workers: found.workers };
  const audit = { action: "distribute", object_type: "installation", after };
  await workAlone(call, "distribute", async () => {
    if (!found.are_spread) {
      await inTransaction(db, async (tx) => {
        await spreadEvents(tx, SHARDS);
        await insertAudit(tx, call.actor, audit);
      });
    }
    await freeEvents(db);
    await migrate(db);
  });
  return { json: { ...found, done: true }, lines: [...lines, "done"] };
}

export const distributeCommand: Command = {
  name: "distribute",
  summary:
    "spread deposits and bets over the workers of a Citus cluster; says first what it will do",
  options: { yes: { help: "go ahead" } },
  run,
};
