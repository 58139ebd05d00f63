/** Tests connections that PostgreSQL ends, and a commit that PostgreSQL reports as done although no standby has it. */
import { setTimeout as sleep } from "node:timers/promises";
import { inTransaction, openDb, openPool } from "./connection.ts";
import type { Db, Tx } from "./connection.ts";
import { SUPERUSER } from "#platform/embedded/cluster";
import { startEmbedded } from "#platform/embedded/supervisor";
import { toAppError } from "#platform/http/answer";
import { makeDataFolder } from "#test/data-folder";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";

/** Starts a PostgreSQL whose commits wait for a standby that does not exist. */
async function lonelyPrimary(limits = { max: 2, statementTimeoutMs: 0 }) {
  const embedded = await startEmbedded({ dataDir: makeDataFolder() });
  onTestFinished(() => embedded.stop());
  const { connection } = embedded;
  const options = { ...limits, name: "test", onFault: () => {} };
  const db = openDb(openPool(connection, options));
  onTestFinished(() => db.destroy());
  await sql`create table kept (id integer)`.execute(db);
  const admin = new pg.Client({ ...connection, user: SUPERUSER, database: "postgres" });
  await admin.connect();
  onTestFinished(() => admin.end());
  const set = async (names: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${names}'`);
    await admin.query("select pg_reload_conf()");
    while (
      (await admin.query("show synchronous_standby_names")).rows[0].synchronous_standby_names !==
      names
    ) {
      await sleep(10);
    }
  };
  /**
   * Cancels the wait of `writing` for a standby, as an impatient administrator would. Returns false if `writing` ended
   * without such a wait.
   */
  const cut = async (writing: Promise<unknown>) => {
    let isOver = false;
    void writing.then(() => (isOver = true));
    while (!isOver) {
      const { rowCount } = await admin.query(
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
      );
      if (rowCount !== null && rowCount > 0) {
        return true;
      }
      await sleep(10);
    }
    return false;
  };
  return { db, set, cut };
}

const WRITES: readonly [string, (db: Db) => Promise<unknown>][] = [
  ["of one statement", (db) => sql`insert into kept values (1)`.execute(db)],
  [
    "of a transaction",
    (db) => inTransaction(db, (tx) => sql`insert into kept values (2)`.execute(tx)),
  ],
];

test("a commit whose wait for a standby was cut short fails, and the connection goes on", async () => {
  const { db, set, cut } = await lonelyPrimary();
  for (const [what, write] of WRITES) {
    await set("somebody");
    // The checkpointer passes the setting on to commits, but may learn of the setting after some of them.
    let writing: Promise<string>;
    do {
      writing = write(db).then(
        () => "done",
        (fault: unknown) => toAppError(fault, "request").key,
      );
    } while (!(await cut(writing)));
    expect(await writing, what).toBe("unavailable");
    await set("");
    await write(db);
  }
  // The primary has committed the row, so a retry must find it.
  const { rows } =
    await sql`select id from kept group by id having count(*) > 1 order by id`.execute(db);
  expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
});

test("a commit without a standby is given up, and its connection replaced", async () => {
  const { db, set } = await lonelyPrimary({ max: 1, statementTimeoutMs: 100 });
  await set("somebody");
  let fault: unknown;
  do {
    // No timeout of PostgreSQL ends this wait. PostgreSQL may learn of the setting late, as above.
    fault = await sql`insert into kept values (3)`.execute(db).catch((one: unknown) => one);
  } while (!(fault instanceof Error));
  expect(toAppError(fault, "request").key).toBe("unavailable");
  const { rows } = await sql`select 1 as one`.execute(db);
  expect(rows).toEqual([{ one: 1 }]);
  await set("");
});

const t = useTestDb();

/** Returns a function that ends the connection from another session, like a crash of PostgreSQL. */
async function enderOf(tx: Tx) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
  return () => t.sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`;
}

async function end(tx: Tx): Promise<void> {
  await (
    await enderOf(tx)
  )();
  await sleep(100);
}

const MOMENTS: readonly [string, (tx: Tx) => Promise<unknown>][] = [
  [
    "between two statements",
    async (tx) => {
      await end(tx);
      await sql`select 1`.execute(tx);
    },
  ],
  ["before the commit", end],
  [
    "while a statement runs",
    async (tx) => {
      const endIt = await enderOf(tx);
      // Both run together, because the statement may fail before the other session gets its answer.
      await Promise.all([sql`select pg_sleep(10)`.execute(tx), sleep(100).then(endIt)]);
    },
  ],
];

test.each(MOMENTS)(
  "who loses the connection %s gets `unavailable`, not `internal`",
  async (_, work) => {
    const fault: unknown = await inTransaction(t.db, work).catch((error: unknown) => error);
    expect(toAppError(fault, "request").key, String(fault)).toBe("unavailable");
  },
);
