/** A process that draws until it is killed. The first argument has options as JSON; it prints a line per answer. */
import { randomUUID } from "node:crypto";
import { drawQueue } from "#draws/draw-queue";
import { openDb, openPool } from "#platform/db/connection";
import type { ConnectionConfig } from "#platform/db/connection";

export interface DrawProcessOptions {
  readonly connection: ConnectionConfig;
  readonly rounds_ids: readonly number[];
  readonly player_ids: readonly string[];
  /** Draws in flight at a time. */
  readonly inFlight: number;
}

// The test that starts this process wrote the options.
const options = JSON.parse(process.argv[2] ?? "") as DrawProcessOptions;
const { rounds_ids, player_ids } = options;
const pool = openPool(options.connection, {
  max: 8,
  name: "test draws",
  statementTimeoutMs: 30_000,
  onFault: () => {},
});
const queue = drawQueue(openDb(pool));
let asked = 0;

async function drawOn(): Promise<never> {
  for (;;) {
    asked += 1;
    const rounds_id = rounds_ids[asked % rounds_ids.length] ?? 0;
    const player_id = player_ids[asked % player_ids.length] ?? "";
    const result = await queue.draw("rk_process", {
      request_id: randomUUID(),
      rounds_id,
      player_id,
    });
    process.stdout.write("drawn" in result ? "drawn\n" : `${result.refused}\n`);
  }
}

await Promise.all(Array.from({ length: options.inFlight }, drawOn));
