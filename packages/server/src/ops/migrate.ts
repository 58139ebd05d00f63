/** Brings the schema up to date. */
import type { Call, Command, Report } from "./command.ts";
import { migrate } from "#platform/migrate";
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/connection";

async function run(call: Call): Promise<Report> {
  const db = await call.open("bare");
  const ran = await migrate(db);
  if (ran.length > 0) {
    await inTransaction(db, (tx) =>
      insertAudit(tx, call.actor, {
        action: "migrate",
        object_type: "installation",
        after: { migrations: ran },
      }),
    );
  }
  const line = ran.length === 0 ? "the schema is up to date" : `ran ${ran.join(", ")}`;
  return { json: { ran }, lines: [line] };
}

export const migrateCommand: Command = {
  name: "migrate",
  summary: "make the database if there is none, and bring its schema up to date",
  options: {},
  run,
};
