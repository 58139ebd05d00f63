/** A process that draws: options as JSON in the first argument; answers each line of input with its draws so far. */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { drawQueue } from "../packages/server/src/draws/draw-queue.ts";
import { openDb, openPool } from "../packages/server/src/platform/db/connection.ts";
import type { ConnectionConfig } from "../packages/server/src/platform/db/connection.ts";

export interface ProcessOptions {
  readonly connection: ConnectionConfig;
  readonly rounds_id: number;
  readonly players: number;
  readonly inFlight: number;
}

// The bench that starts this process wrote the options.
const options = JSON.parse(process.argv[2] ?? "") as ProcessOptions;
const onFault = () => {};
const pool = { max: 4, name: "bench draws", statementTimeoutMs: 30_000, isPrepared: true, onFault };
const queue = drawQueue(openDb(openPool(options.connection, pool)));
let drawn = 0;

async function drawOn(): Promise<never> {
  for (;;) {
    const player_id = `p${1 + Math.floor(Math.random() * options.players)}`;
    const request = { request_id: randomUUID(), rounds_id: options.rounds_id, player_id };
    const result = await queue.draw("rk_bench", request);
    if ("drawn" in result) {
      drawn += 1;
    } else if (result.refused === "round_not_active") {
      await sleep(1);
    } else {
      throw new Error(`a draw was refused: ${result.refused}`);
    }
  }
}

createInterface(process.stdin).on("line", () => process.stdout.write(`${drawn}\n`));
process.stdout.write("ready\n");
await Promise.all(Array.from({ length: options.inFlight }, drawOn));
