/** Data folders for tests of the embedded database. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { findPlace } from "#platform/embedded/place";
import { stopPostmaster } from "#platform/embedded/postmaster";
import type { EmbeddedConnection } from "#platform/embedded/supervisor";
import pg from "pg";
import { onTestFinished } from "vitest";

/** The pointer of the data folder; null if it has none. */
export function placeOutside(dataDir: string): string | null {
  const pointer = readdirSync(dataDir).find((name) => name.endsWith(".location"));
  return pointer === undefined ? null : readFileSync(path.join(dataDir, pointer), "utf8").trim();
}

async function remove(dataDir: string): Promise<void> {
  const outside = placeOutside(dataDir);
  if (outside === null || existsSync(outside)) {
    const place = findPlace(dataDir);
    if (place !== null) {
      await stopPostmaster(place);
    }
  }
  for (const folder of [outside, dataDir]) {
    if (folder !== null) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Makes a folder and removes it after the test, or after all tests of a block. Mode 0700: only the user of the tests can read it. */
export function makeDataFolder(
  mode = 0o755,
  whenDone: (end: () => Promise<void>) => void = onTestFinished,
): string {
  const folder = mkdtempSync(path.join(tmpdir(), "red-data-"));
  chmodSync(folder, mode);
  whenDone(async () => {
    await remove(folder);
  });
  return folder;
}

/** Runs statements on a new connection; returns the rows of the last one. */
export async function query(connection: EmbeddedConnection, ...statements: readonly string[]) {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) {
      ({ rows } = await client.query<Record<string, unknown>>(statement));
    }
    return rows;
  } finally {
    await client.end();
  }
}
