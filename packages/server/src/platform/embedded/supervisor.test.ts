import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { makeDataFolder, query } from "#test/data-folder";
import { REPOSITORY } from "#test/entry-process";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { canEnter } from "./account.ts";
import { SUPERUSER } from "./cluster.ts";
import { findPlace } from "./place.ts";
import { findPostmaster } from "./postmaster.ts";
import { attachEmbedded, startEmbedded } from "./supervisor.ts";
import type { EmbeddedConnection, EmbeddedDatabase, EmbeddedLog } from "./supervisor.ts";

const NOBODY = { name: "nobody", uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const nobodyCanRun =
  isRoot &&
  [REPOSITORY, path.dirname(process.execPath)].every((folder) => canEnter(NOBODY, folder));

async function start(dataDir: string, log?: EmbeddedLog): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, ...(log && { log }) });
  onTestFinished(() => database.stop());
  return database;
}

/** Starts the embedded database in a separate process. */
async function startElsewhere(
  dataDir: string,
  identity: { uid?: number; gid?: number } = {},
): Promise<{ child: ChildProcess; connection: EmbeddedConnection }> {
  const script = fileURLToPath(import.meta.resolve("#test/embedded-process"));
  const child = spawn(process.execPath, ["--import", "tsx", script, dataDir], {
    ...identity,
    cwd: REPOSITORY,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, connection: JSON.parse(line) as EmbeddedConnection };
}

async function killHard(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

function postmasterOf(dataDir: string): number | null {
  const place = findPlace(dataDir);
  return place === null ? null : (findPostmaster(place)?.pid ?? null);
}

function killPostmaster(dataDir: string): void {
  const pid = postmasterOf(dataDir);
  expect(pid).not.toBeNull();
  process.kill(pid ?? 0, "SIGKILL");
}

const MAKE = [
  "drop table if exists note",
  "create table note (text text)",
  "insert into note values ('kept')",
];
const READ = "select text from note";
const KEPT = [{ text: "kept" }];

/** Most tests share this folder, because creating a cluster takes longer than most of these tests. */
const dataDir = makeDataFolder(0o755, afterAll);

it("logs what was refused, but no value of it", async () => {
  const dataDir = makeDataFolder();
  const { connection } = await start(dataDir);
  await query(connection, "create table named (name text unique)");
  const client = new pg.Client(connection);
  await client.connect();
  const insert = () => client.query("insert into named values ($1)", ["zoe-77"]);
  await insert();
  await expect(insert()).rejects.toMatchObject({ detail: expect.stringContaining("zoe-77") });
  await client.end();
  const log = readFileSync(findPlace(dataDir)?.log ?? "", "utf8");
  expect(log).toContain("duplicate key value violates unique constraint");
  expect(log).not.toContain("zoe-77");
});

describe("life of the embedded database", () => {
  it("is created private, stopped by `stop`, and found again with its data", async () => {
    const first = await start(dataDir);
    expect(first.mode).toBe("cold");
    await query(first.connection, ...MAKE);
    const names = ["fsync", "synchronous_commit", "listen_addresses", "jit", "TimeZone"];
    const list = names.map((name) => `current_setting('${name}') as "${name}"`).join(", ");
    expect(await query(first.connection, `select ${list}`)).toEqual([
      { fsync: "on", synchronous_commit: "on", listen_addresses: "", jit: "off", TimeZone: "UTC" },
    ]);
    const role = "select rolsuper, rolcreatedb from pg_roles where rolname = current_user";
    expect(await query(first.connection, role)).toEqual([{ rolsuper: false, rolcreatedb: true }]);
    await expect(query({ ...first.connection, password: "guessed" }, "select 1")).rejects.toThrow(
      /password authentication failed/,
    );
    await first.stop();
    expect(postmasterOf(dataDir)).toBeNull();
    const second = await start(dataDir);
    expect(second.mode).toBe("warm");
    expect(second.connection).toEqual(first.connection);
    expect(await query(second.connection, READ)).toEqual(KEPT);
  });

  it("is made once by two servers that start at the same time", async () => {
    const both = makeDataFolder();
    const outcomes = await Promise.allSettled([start(both), start(both)]);
    expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("sudden ends", () => {
  it("stops after its server was killed, but not while a command or the next server uses it", async () => {
    const { child, connection } = await startElsewhere(dataDir);
    await query(connection, ...MAKE);
    const command = await attachEmbedded({ dataDir });
    await killHard(child);
    // Waits longer than the two checks after which the watch would stop PostgreSQL.
    await sleep(7_000);
    const found = await start(dataDir);
    expect(found.mode).toBe("attached");
    expect(await query(found.connection, READ)).toEqual(KEPT);
    await found.stop();
    const other = await startElsewhere(dataDir);
    await command.stop();
    await killHard(other.child);
    await vi.waitFor(() => expect(postmasterOf(dataDir)).toBeNull(), 30_000);
    const next = await start(dataDir);
    expect(next.mode).toBe("warm");
    expect(await query(next.connection, READ)).toEqual(KEPT);
  });

  it("restarts under a running server when it is killed", async () => {
    const info = vi.fn<(message: string) => void>();
    const { connection } = await start(dataDir, { info, warn: () => {} });
    await query(connection, ...MAKE);
    killPostmaster(dataDir);
    // PostgreSQL accepts connections a moment before its owner has the lock again. Until then another server may become
    // the owner.
    const again = expect.stringContaining("is there again");
    await vi.waitFor(() => expect(info).toHaveBeenCalledWith(again), 30_000);
    expect(await query(connection, READ)).toEqual(KEPT);
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      `in use by another server: red-packet server (process ${process.pid})`,
    );
  });

  it("can be left right after it was killed, and recovers on the next start", async () => {
    const first = await start(dataDir);
    await query(first.connection, ...MAKE);
    killPostmaster(dataDir);
    await first.stop();
    const second = await start(dataDir);
    expect(await query(second.connection, READ)).toEqual(KEPT);
  });

  it("recovers when server and database are killed together", async () => {
    const { child, connection } = await startElsewhere(dataDir);
    await query(connection, ...MAKE);
    killPostmaster(dataDir);
    await killHard(child);
    const next = await start(dataDir);
    expect(next.mode).toBe("warm");
    expect(await query(next.connection, READ)).toEqual(KEPT);
  });
});

describe("owner and guests", () => {
  it("lets a command in beside a server, and runs until the last one leaves", async () => {
    const alone = await attachEmbedded({ dataDir });
    expect(alone.mode).toBe("warm");
    await alone.stop();
    expect(postmasterOf(dataDir)).toBeNull();
    const server = await start(dataDir);
    const [command, other] = [await attachEmbedded({ dataDir }), await attachEmbedded({ dataDir })];
    expect(command.mode).toBe("attached");
    await other.stop();
    expect(await query(server.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await server.stop();
    expect(await query(command.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await command.stop();
    expect(postmasterOf(dataDir)).toBeNull();
  });

  it("reports to a server that another one has taken its place", async () => {
    const onLost = vi.fn<(reason: Error) => void>();
    const first = await startEmbedded({ dataDir, onLost });
    onTestFinished(() => first.stop());
    const intruder = new pg.Client({
      ...first.connection,
      user: SUPERUSER,
      database: "postgres",
    });
    await intruder.connect();
    onTestFinished(() => intruder.end().catch(() => {}));
    const { rows } = await intruder.query<{ space: number; lock: number }>(
      `select classid::int as space, objid::int as lock from pg_locks
       where locktype = 'advisory' and mode = 'ExclusiveLock' order by lock limit 1`,
    );
    const [held] = rows;
    expect(held).toBeDefined();
    // Ends every session that has the lock until the lock is free. This may include the first server if it took the
    // lock back quickly.
    await intruder.query(
      `do $$ begin
         while not pg_try_advisory_lock(${held?.space}, ${held?.lock}) loop
           perform pg_terminate_backend(pid) from pg_locks
           where locktype = 'advisory' and granted
             and classid = ${held?.space} and objid = ${held?.lock};
         end loop;
       end $$`,
    );
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce(), 10_000);
    expect(onLost.mock.calls[0]?.[0].message).toMatch(/in use by another server/);
  });
});

it.runIf(nobodyCanRun)("runs for an ordinary user", async () => {
  const theirs = makeDataFolder(0o700);
  chownSync(theirs, NOBODY.uid, NOBODY.gid);
  const { child, connection } = await startElsewhere(theirs, NOBODY);
  await query(connection, ...MAKE);
  expect(lstatSync(`/proc/${postmasterOf(theirs)}`).uid).toBe(NOBODY.uid);
  child.stdin?.end();
  await once(child, "exit");
  expect(child.exitCode).toBe(0);
  // Root opens the database under the owner's account.
  const asRoot = await start(theirs);
  expect(await query(asRoot.connection, READ)).toEqual(KEPT);
  expect(lstatSync(`/proc/${postmasterOf(theirs)}`).uid).toBe(NOBODY.uid);
});
