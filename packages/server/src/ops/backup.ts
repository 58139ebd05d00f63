/** Writes the whole database into one file. */
import { createWriteStream, existsSync } from "node:fs";
import { link, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Call, Command, Report } from "./command.ts";
import { insertAudit } from "#platform/audit";
import { readTable, selectPartitions, selectTables } from "./backup-sql.ts";
import { inTransaction } from "#platform/db/connection";
import { BACKUP_FORMAT, TABLE_END, tally } from "./backup-file.ts";
import type { BackupHead } from "./backup-file.ts";
import pg from "pg";

/** Fast rather than small, because a server runs at the same time. */
const ZIP_LEVEL = 4;

/** Yields the lines of a backup from one snapshot. `onRows` gets the number of rows. */
async function* linesOf(
  client: pg.ClientBase,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer | string> {
  const { add, addRows, end } = tally();
  await client.query("begin isolation level repeatable read read only");
  await client.query("set local statement_timeout = 0; set local timezone = 'UTC'");
  const clock = await client.query<{ made_at: Date }>("select now() as made_at");
  const ran = await client.query<{ name: string }>(
    "select name from schema_migration order by name",
  );
  const head: BackupHead = {
    kind: "red-packet backup",
    format: BACKUP_FORMAT,
    made_at: (clock.rows[0]?.made_at ?? new Date()).toISOString(),
    migrations: ran.rows.map((row) => row.name),
    partitions: await selectPartitions(client),
  };
  yield add(`${JSON.stringify(head)}\n`);
  for (const { table, columns } of await selectTables(client)) {
    yield add(`${JSON.stringify({ table, columns })}\n`);
    for await (const chunk of readTable(client, { table, columns })) {
      yield addRows(chunk);
    }
    yield add(`${TABLE_END}\n`);
  }
  const last = end();
  onRows(last.rows);
  yield `${JSON.stringify(last)}\n`;
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
  let rows = 0;
  try {
    await pipeline(
      Readable.from(
        linesOf(client, (count) => (rows = count)),
        { objectMode: false },
      ),
      createGzip({ level: ZIP_LEVEL }),
      createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }),
    );
    // Only a complete file gets the final name; `link` overwrites nothing.
    await link(draft, file);
  } finally {
    await rm(draft, { force: true });
    await client.end();
  }
  await inTransaction(db, (tx) =>
    insertAudit(tx, call.actor, {
      action: "backup",
      object_type: "installation",
      after: { rows },
    }),
  );
  return {
    json: { file, rows },
    lines: [
      `${file}: ${rows} rows`,
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
