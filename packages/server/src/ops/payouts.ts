/** Stops and starts payouts from the command line. */
import { setStopSwitch, startAgain } from "#rounds/stop-switches";
import type { Call, Command, Report } from "./command.ts";
import { inTransaction } from "#platform/connection";

async function hold(call: Call): Promise<Report> {
  const db = await call.open("current");
  const reason = call.value("reason") === "" ? null : call.value("reason");
  await inTransaction(db, (tx) => setStopSwitch(tx, call.actor, { name: "payouts" }, reason));
  return {
    json: { held: true },
    lines: ["nothing is sent to the wallet any more; what is unknown is still asked about"],
  };
}

async function release(call: Call): Promise<Report> {
  const db = await call.open("current");
  await inTransaction(db, (tx) => startAgain(tx, call.actor, { name: "payouts" }));
  return { json: { held: false }, lines: ["payouts are sent again"] };
}

export const payoutCommands: readonly Command[] = [
  {
    name: "payouts hold",
    summary: "send nothing to the wallet until payouts are released",
    options: { reason: { value: "TEXT", help: "shown on every page of the console" } },
    run: hold,
  },
  {
    name: "payouts release",
    summary: "send payouts again, after a hold or a restore",
    options: {},
    run: release,
  },
];
