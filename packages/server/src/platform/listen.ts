/** Listens for notifications of the database on a connection of its own that mends itself. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { sql } from "kysely";
import type { ConnectionConfig, Tx } from "./connection.ts";

const RETRY_MS = 1_000;
const CONNECT_MS = 10_000;

/** The channel on which new work for payout workers is announced; draw_commit uses it too. */
export const PAYOUT_CHANNEL = "payout";

/** Tells the workers, once this transaction commits, that there is something to do. */
export async function notifyPayoutWorkers(tx: Tx): Promise<void> {
  await sql`select pg_notify(${PAYOUT_CHANNEL}, '')`.execute(tx);
}

export interface Listener {
  /** Resolves after the first attempt to connect, whether it succeeded or not. */
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Calls `onNotify` for every notification on `channel`, and after every (re)connection, because
 * something may have been said meanwhile. `channel` is a plain identifier.
 */
export function listen(options: {
  readonly connection: ConnectionConfig;
  readonly channel: string;
  readonly onNotify: () => void;
  readonly log: Pick<Logger, "warn">;
}): Listener {
  const { connection, channel, onNotify, log } = options;
  const stopped = new AbortController();
  let client: pg.Client | null = null;

  /** Resolves when the connection is lost. */
  async function listenOnce(onListening: () => void): Promise<void> {
    const mine = new pg.Client({
      ...connection,
      application_name: `red-packet listen ${channel}`,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    });
    client = mine;
    const lost = new Promise<void>((resolve) => {
      mine.once("end", resolve);
      mine.on("error", () => resolve());
    });
    mine.on("notification", onNotify);
    try {
      await mine.connect();
      await mine.query(`listen ${mine.escapeIdentifier(channel)}`);
      onListening();
      await lost;
    } finally {
      await mine.end().catch(() => {});
    }
  }

  async function run(onFirst: () => void): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await listenOnce(() => {
          onFirst();
          onNotify();
        });
      } catch (fault) {
        log.warn({ err: fault, channel }, "cannot listen to the database");
      }
      onFirst();
      await sleep(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  let running: Promise<void> = Promise.resolve();
  const started = new Promise<void>((resolve) => {
    running = run(resolve);
  });
  return {
    started,
    async stop() {
      stopped.abort();
      await client?.end().catch(() => {});
      await running;
    },
  };
}
