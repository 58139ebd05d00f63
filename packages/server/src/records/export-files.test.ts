/**
 * Export files whose jobs were deleted: every running process deletes them, and a stopped process
 * deletes them at its next start before it listens.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { deletePersonalTexts } from "#evidence/erase-player-sql";
import { inTransaction } from "#platform/db/connection";
import { notifyExportsGone } from "#platform/db/listen";
import { startBundle } from "#test/bundle-process";
import { insertedId, makeOperator } from "#test/factories";
import { makeFolder } from "#test/folder";
import { until } from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { rowsOf } from "#test/rows";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";

import { deleteOldest, deleteOldExports, startDeletingExports } from "./export-files.ts";

const t = useTestDb();
const SECRET_KEY = randomBytes(32).toString("base64");
/** Maximum time in ms from the commit to the deletion. */
const GONE_MS = 5_000;
const EXPORT = { kind: "export", path: "/", query: "{}" } as const;

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

test("are deleted with their jobs, also after a lost notification", async () => {
  const operator_id = await makeOperator(t.db, "exporter");
  const rows = await t.sql<{ id: number }>`
    insert into job (operator_id, kind, path, query) values (${operator_id}, 'export', '/', '{}') returning id`;
  const id = rows[0]?.id ?? 0;
  const [running, other, stopped] = [makeFolder(), makeFolder(), makeFolder()];
  const files = [running, other].map((dataDir) => fileIn(dataDir, id));
  const late = fileIn(stopped, id);
  let warnings = 0;
  const log = { info: () => {}, warn: () => (warnings += 1) };
  const { db, connection } = t;
  const loop = startDeletingExports({ db, connection, dataDir: running, log });
  onTestFinished(async () => await loop.stop());
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

  // One database failure does not end the loop, and `stop` waits for a deletion in progress.
  const last = fileIn(running, id);
  await t.sql`alter table job rename to job_away`;
  await inTransaction(t.db, notifyExportsGone);
  await until("warned", async () => warnings > 0, GONE_MS);
  await t.sql`alter table job_away rename to job`;
  const held = await hold(t.db, (tx) => sql`lock table job`.execute(tx));
  await inTransaction(t.db, notifyExportsGone);
  await untilWaiting(t.db);
  const stopping = loop.stop();
  await held.commit();
  await stopping;
  expect(existsSync(last)).toBe(false);
  await inTransaction(t.db, notifyExportsGone);
}, 120_000);

test("files stay whose job exists and did not fail", async () => {
  const dataDir = makeFolder();
  const remove = deleteOldExports(dataDir);
  expect(await remove(t.db)).toEqual({ files: 0 });
  const operator_id = await makeOperator(t.db, "folder");
  const make = async (more: object) =>
    fileIn(
      dataDir,
      await insertedId(t.db.insertInto("job").values({ ...EXPORT, operator_id, ...more })),
    );
  const ended_at = new Date();
  const kept = [await make({}), await make({ ended_at })];
  const gone = [await make({ ended_at, fault: "internal" }), fileIn(dataDir, 999_999)];
  expect(await remove(t.db)).toEqual({ files: 2 });
  expect([...kept, ...gone].map((file) => existsSync(file))).toEqual([true, true, false, false]);
});

const HALF = 2 ** 29;
test.each([
  ["fit", [HALF, HALF], [true, true]],
  ["are a byte too many", [1, HALF, HALF], [false, true, true]],
  ["are one large one", [1, 2 ** 30 + 1], [false, true]],
  ["lie elsewhere, and are too many", [null, 2 ** 30 + 1], [false, true]],
  ["lie elsewhere", [null, HALF, HALF, null], [true, true, true, true]],
])("of files that %s the oldest are deleted", async (name, sizes, kept) => {
  const dataDir = makeFolder();
  const operator_id = await makeOperator(t.db, name);
  const other = await makeOperator(t.db, `not ${name}`);
  const make = async (size: number | null, more: object = {}) => {
    const job = { ...EXPORT, operator_id, file_name: "a.csv", ended_at: new Date(), ...more };
    const id = await insertedId(t.db.insertInto("job").values(job));
    const file = path.join(dataDir, "exports", String(id));
    if (size !== null) {
      truncateSync(fileIn(dataDir, id), size);
    }
    return file;
  };
  const files: string[] = [];
  for (const size of sizes) {
    files.push(await make(size));
  }
  // These files do not count and are not deleted.
  const beside = [
    await make(HALF, { operator_id: other }),
    await make(HALF, { ended_at: null }),
    await make(HALF, { file_name: null }),
  ];
  await deleteOldest(t.db, dataDir, operator_id);
  const isThere = sizes.map((size, at) => size !== null && kept[at] === true);
  expect(files.map((file) => existsSync(file))).toEqual(isThere);
  expect(beside.every((file) => existsSync(file))).toBe(true);
  const rows = (await rowsOf(t.db, "job", { operator_id })).toSorted((a, b) => a.id - b.id);
  const named = rows.map(({ file_name }) => file_name !== null);
  expect(named).toEqual([...kept, true, false]);
});
