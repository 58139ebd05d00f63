/** Files of exports whose jobs are gone: deleted by every running process, and by a stopped one before it listens. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deletePersonalTexts } from "#evidence/erase-player-sql";
import { inTransaction } from "#platform/connection";
import { startBundle } from "#test/bundle-process";
import { makeOperator } from "#test/factories";
import { makeFolder } from "#test/folder";
import { until } from "#test/payout-factory";
import { rowsOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { expect, onTestFinished, test } from "vitest";

import { deleteOldest } from "./export-files.ts";

const t = useTestDb();
const SECRET_KEY = randomBytes(32).toString("base64");
/** From the commit on. */
const GONE_MS = 5_000;

function fileIn(dataDir: string, name: number): string {
  const folder = path.join(dataDir, "exports");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, String(name)), "names");
  return path.join(folder, String(name));
}

async function started(dataDir: string): Promise<void> {
  const server = await startBundle(t.connection, dataDir, {
    LOG_LEVEL: "error",
    SECRET_KEY,
  });
  onTestFinished(() => server.stop());
}

test("go with their jobs, also when the word of it was missed", async () => {
  const operator_id = await makeOperator(t.db, "exporter");
  const rows = await t.sql<{ id: number }>`
    insert into job (operator_id, kind, path, query) values (${operator_id}, 'export', '/', '{}') returning id`;
  const id = rows[0]?.id ?? 0;
  const [running, other, stopped] = [makeFolder(), makeFolder(), makeFolder()];
  const files = [running, other].map((dataDir) => fileIn(dataDir, id));
  const late = fileIn(stopped, id);
  await started(running);
  await started(other);
  expect(files.filter((file) => existsSync(file))).toEqual(files);
  await inTransaction(t.db, (tx) => deletePersonalTexts(tx, 0));
  await until("gone", async () => !files.some((file) => existsSync(file)), GONE_MS);

  expect(existsSync(late)).toBe(true);
  await started(stopped);
  expect(existsSync(late)).toBe(false);

  const again = [running, other, stopped].map((dataDir) => fileIn(dataDir, id));
  await t.sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'red-packet listen exports_gone'`;
  await until("gone again", async () => !again.some((file) => existsSync(file)), GONE_MS);
}, 120_000);

test.each([
  ["fit", [2 ** 29, 2 ** 29], [true, true]],
  ["are a byte too many", [1, 2 ** 29, 2 ** 29], [false, true, true]],
  ["are one large one", [1, 2 ** 30 + 1], [false, true]],
])("of those that %s the oldest go", async (name, sizes, kept) => {
  const dataDir = makeFolder();
  const operator_id = await makeOperator(t.db, name);
  const files: string[] = [];
  for (const size of sizes) {
    const { id } = await t.db
      .insertInto("job")
      .values({
        operator_id,
        kind: "export",
        path: "/",
        query: "{}",
        file_name: "a.csv",
        ended_at: new Date(),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const file = fileIn(dataDir, id);
    truncateSync(file, size);
    files.push(file);
  }
  await deleteOldest(t.db, dataDir, operator_id);
  expect(files.map((file) => existsSync(file))).toEqual(kept);
  const rows = await rowsOf(t.db, "job", { operator_id });
  const named = rows.toSorted((a, b) => a.id - b.id).map(({ file_name }) => file_name !== null);
  expect(named).toEqual(kept);
});
