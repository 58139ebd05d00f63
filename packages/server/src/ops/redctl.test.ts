/** redctl on the embedded database. Tests that start, end or interrupt a command run it as a separate process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { readConfig } from "#platform/config";
import { createOperator } from "#identity/change-operator";
import { inTransaction } from "#platform/db/connection";
import { findPlace } from "#platform/embedded/place";
import { findPostmaster } from "#platform/embedded/postmaster";
import { startEmbedded } from "#platform/embedded/supervisor";
import { lockOperator } from "#identity/operator-sql";
import { makeDataFolder } from "#test/data-folder";
import { databaseUrl } from "#test/database-url";
import { REPOSITORY } from "#test/entry-process";
import { PASSWORD, TEST_ACTOR } from "#test/operator-factory";
import { hold, untilWaiting } from "#test/races";
import { redctl as run } from "#test/redctl";
import { useTestDb } from "#test/test-db";
import { expect, onTestFinished, test } from "vitest";

const t = useTestDb();
const PROGRAM = fileURLToPath(new URL("./redctl.ts", import.meta.url));

function start(dataDir: string, words: string, environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, ...words.split(" ")], {
    cwd: REPOSITORY,
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir, ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]).then(
    ([out, err, [code]]) => ({ code: code as number | null, out, err }),
  );
  return { child, ended };
}

const redctl = (dataDir: string, words: string) =>
  run(() => readConfig({ DATA_DIR: dataDir }), words);

test("makes no database by accident", async () => {
  const dataDir = makeDataFolder();
  for (const words of ["admin list", "keys create --name x --scopes read"]) {
    const { code, out, err } = await redctl(dataDir, words);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe(
      `redctl: there is no database in ${dataDir} yet: start the server once, or run redctl migrate\n`,
    );
  }
  const doctor = await redctl(dataDir, "doctor");
  expect(doctor.code).toBe(1);
  expect(doctor.out).toMatch(/FAULT {2}database .*there is no database/);
  expect(readdirSync(dataDir)).toEqual([]);
});

test("makes an operator before the first start, and works beside a server and after it", async () => {
  const dataDir = makeDataFolder();
  const made = await start(dataDir, "admin create first --json").ended;
  expect(made).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(made.out)).toMatchObject({ name: "first" });

  const server = await startEmbedded({ dataDir });
  onTestFinished(() => server.stop());
  const beside = await redctl(dataDir, "keys create --name x --scopes read --json");
  expect(beside).toMatchObject({ code: 0, err: "" });
  await server.stop();

  const after = await redctl(dataDir, "keys list --json");
  expect(JSON.parse(after.out)).toMatchObject([{ name: "x", scopes: ["read"] }]);
  const place = findPlace(dataDir);
  expect(place && findPostmaster(place)).toBeNull();
});

test("migrates once", async () => {
  const dataDir = makeDataFolder();
  const first = await redctl(dataDir, "migrate --json");
  expect(JSON.parse(first.out)).toMatchObject({ ran: expect.arrayContaining(["0073-risked"]) });
  expect(await redctl(dataDir, "migrate")).toMatchObject({
    code: 0,
    out: "the schema is up to date\n",
  });
});

test("a command that is interrupted changes nothing afterwards", async () => {
  await inTransaction(t.db, (tx) =>
    createOperator(tx, TEST_ACTOR, { name: "held", password: PASSWORD }),
  );
  const held = await hold(t.db, (tx) => lockOperator(tx, "held"));
  const environment = { DATABASE_URL: databaseUrl(t.connection) };
  const { child, ended } = start(makeDataFolder(), "admin disable held", environment);
  await untilWaiting(t.db);
  child.kill("SIGINT");
  expect(await ended).toEqual({ code: 1, out: "", err: "redctl: interrupted\n" });
  await held.commit();
  // The abandoned statement gets the lock now, but nobody commits it.
  const row = await inTransaction(t.db, (tx) => lockOperator(tx, "held"));
  expect(row).toMatchObject({ disabled: false });
});
