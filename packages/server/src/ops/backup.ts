/** Writes everything that this system keeps in its database into one file. */
import { createWriteStream, existsSync } from "node:fs";
import { link, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Call, Command, Report } from "./command.ts";
import { insertAudit } from "#platform/audit";
import { readTable, selectPartitions, selectTables } from "./backup-sql.ts";
import { inTransaction } from "#platform/connection";
import { BACKUP_FORMAT, backupLines } from "./backup-file.ts";
import type { BackupLines } from "./backup-file.ts";
import pg from "pg";

/** Fast rather than small: it is written beside a running server. */
const ZIP_LEVEL = 4;

/** One unchanging view of the database as the lines of a backup. */
async function* linesOf(
  client: pg.ClientBase,
  lines: BackupLines,
): AsyncGenerator<Buffer | string> {
  await client.query("begin isolation level repeatable read read only");
  await client.query("set local statement_timeout = 0; set local timezone = 'UTC'");
  const clock = await client.query<{ made_at: Date }>("select now() as made_at");
  const ran = await client.query<{ name: string }>(
    "select name from schema_migration order by name",
  );
  yield lines.head({
    kind: "red-packet backup",
    format: BACKUP_FORMAT,
    made_at: (clock.rows[0]?.made_at ?? new Date()).toISOString(),
    migrations: ran.rows.map((row) => row.name),
    partitions: await selectPartitions(client),
  });
  for (const table of await selectTables(client)) {
    yield lines.table({ table: table.table, columns: [...table.columns] });
    for await (const chunk of readTable(client, table)) {
      yield lines.rows(chunk);
    }
    yield lines.tableEnd();
  }
  yield lines.end();
  await client.query("commit");
}

async function run(call: Call): Promise<Report> {
  const file = path.resolve(call.value("file"));
  if (existsSync(file)) {
    throw new Error(`${file} is there already: choose another name`);
  }
  const db = await call.open("current");
  const client = new pg.Client({ ...call.connection(), application_name: "redctl backup" });
  await client.connect();
  const draft = `${file}.${process.pid}.part`;
  const lines = backupLines();
  try {
    await pipeline(
      Readable.from(linesOf(client, lines), { objectMode: false }),
      createGzip({ level: ZIP_LEVEL }),
      createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }),
    );
    // Under its name it is whole, and nothing that was there is overwritten.
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
    await client.end();
  }
  await inTransaction(db, (tx) =>
    insertAudit(tx, call.actor, {
      action: "backup",
      object_type: "installation",
      after: { rows: lines.count() },
    }),
  );
  return {
    json: { file, rows: lines.count() },
    lines: [
      `${file}: ${lines.count()} rows`,
      "keep the secret-key file of DATA_DIR (or SECRET_KEY) and anchors.jsonl beside it, but not in the same place",
    ],
  };
}

export const backupCommand: Command = {
  name: "backup",
  summary: "write the whole database into a file, beside a running server too",
  positional: "file",
  options: {
    file: { value: "FILE", help: "the file, which must not be there yet", required: true },
  },
  run,
};
