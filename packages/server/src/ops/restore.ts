/** Restores a backup into an empty database, and makes a restored database safe for payouts. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { selectIsEmpty } from "#demo/demo-sql";
import type { Call, Command, Report } from "./command.ts";
import { isWithoutSchema, workAlone } from "./connect.ts";
import { makePartitions, selectTables, skipNumbers, writeTable } from "./backup-sql.ts";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import { setStopSwitch } from "#stops/stop-switches";
import { doubtPayouts } from "#payouts/payout-sql";
import { SEALED_LISTS, selectChainEnd } from "#evidence/seal-sql";
import type { SealedList } from "#evidence/seal-sql";
import { migrate, migrateTo } from "#platform/db/migrate";
import { selectOperators } from "#identity/operator-sql";
import { openBackup } from "./backup-file.ts";
import { anchorFile, appendAnchor } from "#evidence/anchors";
import { sql } from "kysely";
import type pg from "pg";

/** Returns true if the database has no schema, or a schema without data. */
async function isUnused(db: Db): Promise<boolean> {
  return (
    (await isWithoutSchema(db)) ||
    ((await selectIsEmpty(db)) && (await selectOperators(db)).length === 0)
  );
}

const reasonOf = (made_at: string) => `restored from a backup of ${made_at}`;

/**
 * Restores the file in one transaction, with payouts stopped. Returns the time of the backup and the number of rows.
 */
async function restoreRows(db: Db, client: pg.Client, file: string, by: string) {
  const { head, tables } = await openBackup(file);
  await migrateTo(db, head.migrations);
  await client.query("begin");
  await client.query("set local statement_timeout = 0; set local timezone = 'UTC'");
  const known = await selectTables(client);
  const names = known.map(({ table }) => client.escapeIdentifier(table));
  // The backup contains the rows that migrations inserted, as they were at that time.
  await client.query(`truncate ${names.join(", ")} cascade`);
  await makePartitions(client, head.partitions);
  let rows = 0;
  for await (const part of tables()) {
    if (!known.some(({ table }) => table === part.table)) {
      throw new Error(`the backup holds a table that is not known: ${part.table}`);
    }
    const copy = writeTable(client, part);
    await pipeline(part.rows(), copy);
    rows += copy.rowCount ?? 0;
  }
  await skipNumbers(client);
  if (known.some(({ table }) => table === "stop_switch")) {
    // The stop is committed together with the rows: a server that starts after this restore was killed must
    // not pay either.
    await client.query(
      `insert into stop_switch (name, stopped_by, reason) values ('payouts', $1, $2)
       on conflict do nothing`,
      [by, reasonOf(head.made_at)],
    );
  }
  await client.query("commit");
  return { made_at: head.made_at, rows };
}

/**
 * Makes a restored database safe for payouts (behaviour §6). Payouts stay stopped until somebody has
 * compared both sides, and the wallet is asked first about payouts that are queued, sending or unknown.
 * Returns the number of those payouts and the ends of the seal chains.
 */
async function finishRestore(tx: Tx, actor: Actor, made_at: string) {
  const asked = await doubtPayouts(tx);
  await setStopSwitch(tx, actor, { name: "payouts" }, reasonOf(made_at));
  await insertAudit(tx, actor, {
    action: "restore",
    object_type: "installation",
    after: { made_at, asked },
  });
  const endOf = async (list: SealedList) => (await selectChainEnd(tx, list)).no;
  return {
    asked,
    ends: { draw_record: await endOf("draw_record"), audit_log: await endOf("audit_log") },
  };
}

async function run(call: Call): Promise<Report> {
  const file = path.resolve(call.value("file"));
  await stat(file);
  const db = await call.open("bare");
  const { made_at, rows } = await workAlone(call, "restore", async (client) => {
    if (!(await isUnused(db))) {
      throw new Error(
        "the database is in use: restore into another DATA_DIR or DATABASE_URL, or move this one away",
      );
    }
    return await restoreRows(db, client, file, call.actor.name);
  });
  await migrate(db);
  const { json, lines } = await conclude(call, db, made_at);
  return { json: { ...json, rows }, lines: [`${rows} rows as of ${made_at}`, ...lines] };
}

/** Last step of every restore, by redctl or by other tools. `isFirst` means that no standby can be connected yet. */
async function conclude(call: Call, db: Db, made_at: string, isFirst = false) {
  const outcome = await inTransaction(db, async (tx) => {
    if (isFirst) {
      await sql`set local synchronous_commit = local`.execute(tx);
    }
    return await finishRestore(tx, call.actor, made_at);
  });
  for (const list of SEALED_LISTS) {
    const line = { restored_to: outcome.ends[list], at: new Date().toISOString() };
    await appendAnchor(anchorFile(call.config.dataDir, list), line);
  }
  return {
    json: { made_at, payouts_to_ask: outcome.asked },
    lines: [
      `payouts are stopped; the wallet will be asked about ${outcome.asked} of them before anything is sent`,
      "put back secret-key into DATA_DIR (or set SECRET_KEY), run redctl verify, start the server,",
      "compare with the wallet's statement (redctl reconcile), then run redctl payouts release",
    ],
  };
}

async function runRestored(call: Call): Promise<Report> {
  const db = await call.open("current");
  const to = call.value("to");
  // Throws if the text is not a time.
  await sql`select ${to}::timestamptz`.execute(db);
  await workAlone(call, "restored", async (client) => {
    await client.query("set synchronous_commit = local");
    await skipNumbers(client);
  });
  return await conclude(call, db, to, true);
}

export const restoreCommand: Command = {
  name: "restore",
  summary: "put a backup into a database that holds nothing yet; payouts stay stopped afterwards",
  positional: "file",
  options: { file: { value: "FILE", help: "a file that redctl backup wrote", required: true } },
  run,
};

export const restoredCommand: Command = {
  name: "restored",
  summary:
    "after PostgreSQL's own tools put back an earlier state: stop payouts until it was compared",
  options: { to: { value: "TIME", help: "the time that it was put back to", required: true } },
  run: runRestored,
};
