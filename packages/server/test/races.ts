/** Makes races certain: keeps one transaction open until the other waits for its locks. */
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@red/contract/platform/errors";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import { meaningOf } from "#platform/db/constraints";
import { sql } from "kysely";

interface Held<T> {
  readonly result: T;
  commit(): Promise<void>;
}

export async function hold<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<Held<T>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return await new Promise((resolve, reject) => {
    const ended = inTransaction(db, async (tx) => {
      const result = await work(tx);
      resolve({
        result,
        async commit() {
          release();
          await ended;
        },
      });
      await released;
    });
    ended.catch(reject);
  });
}

/** Waits until `count` sessions of this database wait for a lock: at most a minute, because a session may belong to a command that still starts. */
export async function untilWaiting(db: Db, count = 1): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if ((rows[0]?.n ?? 0) >= count) {
      return;
    }
    if (Date.now() > end) {
      throw new Error(`fewer than ${count} sessions wait for a lock`);
    }
    await sleep(5);
  }
}

/** The result or the AppError; other errors are thrown. */
export async function outcomeOf<T>(work: Promise<T>): Promise<T | AppError> {
  try {
    return await work;
  } catch (fault) {
    const error = fault instanceof AppError ? fault : meaningOf(fault);
    if (error === null) {
      throw fault;
    }
    return error;
  }
}

/** Keeps `first` open until `second` waits for it; returns the outcome of `second`. */
export async function meet<T>(
  db: Db,
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<T>,
): Promise<T | AppError> {
  const held = await hold(db, first);
  const ending = outcomeOf(inTransaction(db, second));
  await untilWaiting(db);
  await held.commit();
  return await ending;
}
