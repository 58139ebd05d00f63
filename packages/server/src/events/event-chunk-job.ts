/** Creates chunks (event-chunk-sql.ts) for players with very many deposits or bets. */
import { inTransaction } from "#platform/db/connection";
import type { ConnectionConfig, Db } from "#platform/db/connection";
import { listen } from "#platform/db/listen";
import type { Logger } from "pino";
import { CHUNK_CHANNEL, makeEventChunk } from "./event-chunk-sql.ts";
import type { ChunkOwner } from "./event-chunk-sql.ts";

export interface Chunker {
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Any number of processes may run this job. If a request fails or is lost, the next reader requests the chunks again.
 */
export function startChunker(options: {
  readonly db: Db;
  readonly connection: ConnectionConfig;
  readonly log: Pick<Logger, "info" | "warn">;
}): Chunker {
  const { db, connection, log } = options;
  const asked = new Set<string>();
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();

  async function fill(request: string): Promise<void> {
    // Our own reader wrote the text, so it needs no check.
    const owner = JSON.parse(request) as ChunkOwner;
    let made = 0;
    // Uses one transaction per chunk, so ingest and draws of the player wait for one chunk at most.
    while (!isStopped && (await inTransaction(db, (tx) => makeEventChunk(tx, owner)))) {
      made += 1;
    }
    log.info({ ...owner, made }, "sums of a player's many rows made");
  }

  async function fillAll(): Promise<void> {
    for (const request of asked) {
      await fill(request).catch((fault: unknown) => {
        log.warn({ err: fault, request }, "sums of a player's many rows not made");
      });
      asked.delete(request);
    }
  }

  function onNotify(request?: string): void {
    if (request !== undefined && !asked.has(request)) {
      asked.add(request);
      if (asked.size === 1) {
        running = fillAll();
      }
    }
  }

  const listener = listen({ connection, channel: CHUNK_CHANNEL, onNotify, log });
  return {
    started: listener.started,
    async stop() {
      isStopped = true;
      await listener.stop();
      await running;
    },
  };
}
