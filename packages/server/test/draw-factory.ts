/** Rounds and players made by the product's actions, and processes that draw. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { DrawQueue } from "#draws/draw-queue";
import { endProcess, REPOSITORY } from "#test/entry-process";
import { makePlayer, makePool, makePrize, makeRound } from "#test/factories";
import type { DrawProcessOptions } from "#test/draw-process";
import { rowsOf } from "#test/rows";
import type { TestDb } from "#test/test-db";
import { onTestFinished } from "vitest";

const ENTRY = fileURLToPath(new URL("./draw-process.ts", import.meta.url));

let requests = 0;

/** A draw call with a new request id. */
export async function drawOnce(queue: DrawQueue, rounds_id: number, player_id: string) {
  requests += 1;
  const request_id = `r-${requests}-${Math.random()}`;
  return await queue.draw("rk_test", { request_id, rounds_id, player_id });
}

/** The number of a player's records. */
export async function recordsOf(t: TestDb, player_key: number): Promise<number> {
  return (await rowsOf(t.db, "draw_record", { player_key })).length;
}

export interface Drawable {
  readonly pool_id: number;
  readonly rounds_ids: readonly number[];
  readonly player_ids: readonly string[];
}

/** Unconditional rounds with five draws per player, on one pool that never runs out. */
export async function makeDrawable(
  t: TestDb,
  counts: { readonly rounds: number; readonly players: number },
): Promise<Drawable> {
  const pool_id = await makePool(t.db);
  await makePrize(t.db, { pool_id, award_total: 1_000_000_000 });
  await t.sql`insert into pool_version (pool_id, version, prizes) values (${pool_id}, 1, '[]')`;
  const rounds_ids: number[] = [];
  for (let made = 0; made < counts.rounds; made += 1) {
    rounds_ids.push((await makeRound(t.db, { pool_id, condition_times: 5 })).rounds_id);
  }
  const players = await Promise.all(Array.from({ length: counts.players }, () => makePlayer(t.db)));
  return { pool_id, rounds_ids, player_ids: players.map(({ player_id }) => player_id) };
}

/** The number of records, and the time of the last. */
export async function countRecords(t: TestDb, { rounds_ids }: Drawable) {
  const rows = await t.sql<{ count: number; last: Date | null }>`
    select count(*) as count, max(created_at) as last from draw_record
    where rounds_id = any(${rounds_ids}::int[])`;
  return { count: rows[0]?.count ?? 0, last: rows[0]?.last ?? null };
}

/**
 * Starts a process with `inFlight` draws in flight; waits for its first answer. `answers` has the oldest first, `next`
 * resolves with the next one, and `kill` ends it like a crash.
 */
export async function startDrawProcess(t: TestDb, drawable: Drawable, inFlight: number) {
  const { rounds_ids, player_ids } = drawable;
  const options: DrawProcessOptions = {
    connection: t.connection,
    rounds_ids,
    player_ids,
    inFlight,
  };
  const child = spawn(process.execPath, ["--import", "tsx", ENTRY, JSON.stringify(options)], {
    cwd: REPOSITORY,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const answers: string[] = [];
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => answers.push(line));
  const kill = () => endProcess(child);
  onTestFinished(kill);
  const next = async () => ((await once(lines, "line")) as [string])[0];
  await next();
  return { answers, next, kill };
}
