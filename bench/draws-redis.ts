/**
 * What many do: Redis decides by a script and remembers (append-only file, synced once a second), and a second step
 * writes the rows into PostgreSQL later. An accepted draw can be lost with Redis; its rate counts only what has arrived.
 */
import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Redis } from "ioredis";
import pg from "pg";
import type { ConnectionConfig } from "../packages/server/src/platform/db/connection.ts";
import { BATCH_MAX, insertBatch, pickerOf, readPlayers } from "./draws-opponents.ts";
import type { Contender, Row } from "./draws-opponents.ts";
import type { Scene } from "./draws-scene.ts";

export function hasRedis(): boolean {
  return spawnSync("redis-server", ["--version"]).status === 0;
}

/**
 * Once per request: one chance and one piece of stock less, and the draw in the list for PostgreSQL. The rows come
 * later, so only Redis can tell a repeated request.
 */
const SCRIPT = `if redis.call('HSETNX', 'request', ARGV[3], 1) == 0 then return 0 end
if redis.call('HINCRBY', 'chance', ARGV[1], -1) < 0 then return 0 end
if redis.call('HINCRBY', 'stock', ARGV[2], -1) < 0 then return 0 end
redis.call('RPUSH', 'drawn', ARGV[1] .. ' ' .. ARGV[2])
return 1`;

/** A server in a folder of its own, with a client. */
async function startRedis() {
  const folder = mkdtempSync(path.join(tmpdir(), "red-redis-"));
  const file = path.join(folder, "socket");
  const settings = ["--port", "0", "--unixsocket", file, "--dir", folder, "--save", ""];
  const aof = ["--appendonly", "yes", "--appendfsync", "everysec"];
  const server = spawn("redis-server", [...settings, ...aof], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const part of server.stdout) {
    if (String(part).includes("eady to accept connections")) {
      break;
    }
  }
  server.stdout.resume();
  const client = new Redis(file);
  return {
    client,
    async stop() {
      client.disconnect();
      server.kill("SIGKILL");
      await once(server, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Moves what Redis has accepted into PostgreSQL, in batches; ends when `isOver` and nothing is left. */
async function flush(
  taken: () => Promise<readonly string[]>,
  insert: (lines: readonly string[]) => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  for (;;) {
    const isLast = isOver();
    const lines = await taken();
    if (lines.length > 0) {
      await insert(lines);
    } else if (isLast) {
      return;
    } else {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

export async function redis(connection: ConnectionConfig, scene: Scene): Promise<Contender> {
  const { client, stop } = await startRedis();
  for (const { id } of scene.prizes) {
    await client.hset("stock", id, 100_000_000);
  }
  for (let from = 1; from <= scene.players; from += 1_000) {
    const count = Math.min(1_000, scene.players - from + 1);
    const chances = Array.from({ length: 2 * count }, (_, at) =>
      at % 2 === 0 ? from + at / 2 : 5_000,
    );
    await client.hset("chance", ...chances);
  }
  const sha = String(await client.script("LOAD", SCRIPT));
  const pick = pickerOf(scene);
  const database = new pg.Client(connection);
  database.on("error", () => {});
  await database.connect();
  const next = await readPlayers(connection);
  const rowOf = (line: string): Row => {
    const [player = 0, prize_id = 0] = line.split(" ").map(Number);
    const prize = scene.prizes.find(({ id }) => id === prize_id);
    return { player, ...next(player), prize: prize ?? pick() };
  };
  let isOver = false;
  const flushing = flush(
    async () => (await client.lpop("drawn", BATCH_MAX)) ?? [],
    async (lines) => await insertBatch(database, lines.map(rowOf)),
    () => isOver,
  );
  return {
    async draw(player) {
      if ((await client.evalsha(sha, 0, player, pick().id, randomUUID())) !== 1) {
        throw new Error("redis refused a draw");
      }
    },
    async close() {
      isOver = true;
      await flushing;
      await database.end();
      await stop();
    },
  };
}
