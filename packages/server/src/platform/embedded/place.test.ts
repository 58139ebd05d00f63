import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "node:child_process";
import { makeDataFolder, placeOutside, query } from "#test/data-folder";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { findPlace } from "./place.ts";
import { findPostmaster } from "./postmaster.ts";
import { startEmbedded } from "./supervisor.ts";

/* The tests of a block share one cluster and run in order, because creating a cluster takes longer than the tests. */

describe.runIf(process.getuid?.() === 0)("a data folder that is private to root", () => {
  const dataDir = makeDataFolder(0o700, afterAll);

  it("has its cluster elsewhere, which is found again with its data", async () => {
    const first = await startEmbedded({ dataDir });
    await query(first.connection, "create table note as select 'kept' as text");
    await first.stop();
    expect(placeOutside(dataDir)).toMatch(/^\/var\/lib\/red-packet\//);
    expect(lstatSync(dataDir).mode & 0o777).toBe(0o700);
    const second = await startEmbedded({ dataDir });
    expect(second.mode).toBe("warm");
    expect(await query(second.connection, "select text from note")).toEqual([{ text: "kept" }]);
    await second.stop();
  });

  it("begins anew in another folder when it was emptied", async () => {
    const before = placeOutside(dataDir) ?? "";
    onTestFinished(() => rmSync(before, { recursive: true }));
    rmSync(path.join(dataDir, "postgres-18.location"));
    const database = await startEmbedded({ dataDir });
    expect(database.mode).toBe("cold");
    expect(placeOutside(dataDir)).not.toBe(before);
    await database.stop();
  });

  it("says so when the folder that its pointer names is gone", async () => {
    rmSync(placeOutside(dataDir) ?? "", { recursive: true });
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/put it back from a backup/);
  });
});

describe("a data folder with a long name", () => {
  const dataDir = path.join(makeDataFolder(0o755, afterAll), "a-rather-long-name-".repeat(6));
  let socketFolder = "";
  afterAll(() => rmSync(socketFolder, { recursive: true }));

  it("may hold other files, with the socket elsewhere since its path is too long", async () => {
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, "notes.txt"), "mine");
    const database = await startEmbedded({ dataDir });
    socketFolder = database.connection.host;
    expect(socketFolder.startsWith(dataDir)).toBe(false);
    expect(await query(database.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await database.stop();
  });

  it("starts although its dead PostgreSQL's process id now belongs to another process", async () => {
    const place = findPlace(dataDir);
    const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void stranger.kill());
    await sleep(50);
    const lines = [stranger.pid, place?.data, 1, 5432, socketFolder, "", "1 1", "ready"];
    writeFileSync(path.join(place?.data ?? "", "postmaster.pid"), lines.join("\n"));
    writeFileSync(path.join(socketFolder, ".s.PGSQL.5432.lock"), lines.join("\n"));
    expect(place === null ? null : findPostmaster(place)).toBeNull();
    const database = await startEmbedded({ dataDir });
    expect(database.mode).toBe("warm");
    await database.stop();
  });

  it("reports PostgreSQL's log when it does not start", async () => {
    rmSync(path.join(findPlace(dataDir)?.data ?? "", "global/pg_control"));
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/could not.*pg_control/s);
  });
});
