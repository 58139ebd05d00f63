/** Listens for database notifications on its own connection, which reconnects by itself. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { sql } from "kysely";
import { KEEP_ALIVE } from "./connection.ts";
import type { ConnectionConfig, Db, Tx } from "./connection.ts";

const RETRY_MS = 1_000;
const CONNECT_MS = 10_000;

/**
 * Channel that wakes payout workers. It is defined here because rounds and draws also notify it but may not import
 * payouts.
 */
export const PAYOUT_CHANNEL = "payout";

/** Wakes the payout workers when this transaction commits. */
export async function notifyPayoutWorkers(tx: Tx): Promise<void> {
  await sql`select pg_notify(${PAYOUT_CHANNEL}, '')`.execute(tx);
}

/** Channel that tells every process to delete the export files whose jobs are deleted. */
export const EXPORTS_CHANNEL = "exports_gone";

/** Makes every process delete the files of deleted export jobs right after this transaction commits. */
export async function notifyExportsGone(tx: Tx): Promise<void> {
  await sql`select pg_notify(${EXPORTS_CHANNEL}, '')`.execute(tx);
}

/** Delay of a notification in ms, so that many commits send only one. */
const RING_MS = 50;

export interface PayoutBell {
  /** Wakes the workers shortly after a commit. If the database is unreachable, their own timer wakes them. */
  ring(): void;
}

/**
 * Notifies outside the transaction of the draws, because the commit of a transaction that notifies blocks all other
 * commits of the database.
 */
export function payoutBell(db: Db): PayoutBell {
  let isRinging = false;
  return {
    ring() {
      if (isRinging) {
        return;
      }
      isRinging = true;
      setTimeout(() => {
        isRinging = false;
        sql`select pg_notify(${PAYOUT_CHANNEL}, '')`.execute(db).catch(() => {});
      }, RING_MS).unref();
    },
  };
}

export interface Listener {
  /** Resolves after the first attempt to connect, whether it succeeded or not. */
  readonly started: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Calls `onNotify` with the text of each notification. After each connect it calls `onNotify` without a text, because
 * notifications may have been missed.
 */
export function listen(options: {
  readonly connection: ConnectionConfig;
  readonly channel: string;
  readonly onNotify: (text?: string) => void;
  readonly log: Pick<Logger, "warn">;
}): Listener {
  const { connection, channel, onNotify, log } = options;
  const stopped = new AbortController();
  let client: pg.Client | null = null;

  async function listenOnce(onListening: () => void): Promise<void> {
    const own = new pg.Client({
      ...connection,
      application_name: `red-packet listen ${channel}`,
      connectionTimeoutMillis: CONNECT_MS,
      ...KEEP_ALIVE,
    });
    client = own;
    const lost = new Promise<void>((resolve) => {
      own.once("end", resolve);
      own.on("error", () => resolve());
    });
    own.on("notification", ({ payload }) => onNotify(payload));
    try {
      await own.connect();
      await own.query(`listen ${own.escapeIdentifier(channel)}`);
      onListening();
      await lost;
    } finally {
      await own.end().catch(() => {});
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
