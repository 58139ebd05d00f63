import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "node:child_process";
import { makeDataFolder, placeOutside, query } from "#test/data-folder";
import { describe, expect, it, onTestFinished } from "vitest";
import { findPlace } from "./place.ts";
import { findPostmaster } from "./postmaster.ts";
import { startEmbedded } from "./supervisor.ts";

const isRoot = process.getuid?.() === 0;

describe("place of the cluster", () => {
  it.runIf(isRoot)("says so when the folder that the pointer names is gone", async () => {
    const dataDir = makeDataFolder(0o700);
    const database = await startEmbedded({ dataDir });
    await database.stop();
    rmSync(placeOutside(dataDir) ?? "", { recursive: true });
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/put it back from a backup/);
  });

  it.runIf(isRoot)("begins anew in another folder when the data folder was emptied", async () => {
    const dataDir = makeDataFolder(0o700);
    const first = await startEmbedded({ dataDir });
    await first.stop();
    const before = placeOutside(dataDir) ?? "";
    onTestFinished(() => rmSync(before, { recursive: true }));
    rmSync(path.join(dataDir, "postgres-18.location"));
    const second = await startEmbedded({ dataDir });
    expect(second.mode).toBe("cold");
    expect(placeOutside(dataDir)).not.toBe(before);
    await second.stop();
  });

  it("may be beside other files, with the socket elsewhere when its path is too long", async () => {
    const dataDir = path.join(makeDataFolder(), "a-rather-long-name-".repeat(6));
    mkdirSync(dataDir);
    writeFileSync(path.join(dataDir, "notes.txt"), "mine");
    const database = await startEmbedded({ dataDir });
    expect(database.connection.host.startsWith(dataDir)).toBe(false);
    expect(await query(database.connection, "select 1 as one")).toEqual([{ one: 1 }]);
    await database.stop();
    rmSync(database.connection.host, { recursive: true });
  });
});

describe("remains of a dead PostgreSQL", () => {
  it("starts although its process id now belongs to another process", async () => {
    const dataDir = makeDataFolder();
    const first = await startEmbedded({ dataDir });
    await first.stop();
    const place = findPlace(dataDir);
    const stranger = spawn("sleep", ["60"], { stdio: "ignore" });
    onTestFinished(() => void stranger.kill());
    await sleep(50);
    const lines = [stranger.pid, place?.data, 1, 5432, first.connection.host, "", "1 1", "ready"];
    writeFileSync(path.join(place?.data ?? "", "postmaster.pid"), lines.join("\n"));
    writeFileSync(path.join(first.connection.host, ".s.PGSQL.5432.lock"), lines.join("\n"));
    expect(place === null ? null : findPostmaster(place)).toBeNull();
    const second = await startEmbedded({ dataDir });
    expect(second.mode).toBe("warm");
    await second.stop();
  });

  it("reports PostgreSQL's log when it does not start", async () => {
    const dataDir = makeDataFolder();
    const first = await startEmbedded({ dataDir });
    await first.stop();
    rmSync(path.join(findPlace(dataDir)?.data ?? "", "global/pg_control"));
    await expect(startEmbedded({ dataDir })).rejects.toThrow(/could not.*pg_control/s);
  });
});
